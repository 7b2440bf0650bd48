"""The numbers behind a policy's choice: probabilities, scores, or visits and values."""

from __future__ import annotations

import numpy as np

from polytrix.core.errors import PolicyError
from polytrix.core.loaded import naming
from polytrix.core.state import ByteArray, FloatArray, IntArray, RecordArray

from .policy import Policy, name_of, needs_states, remembers, worlds


def reasons(
    policy: Policy,
    observation: ByteArray,
    mask: ByteArray,
    rng: np.random.Generator,
    states: RecordArray | None = None,
    *,
    rows: IntArray | None = None,
    seats: IntArray | None = None,
) -> dict[str, FloatArray]:
    """The numbers from which a policy chooses, by name; the first one decides.

    Random play and networks give a `probability`, heuristics a `score`, and the search `visits` and `value`,
    the mean payoff that it expects for the mover.

    A policy tells them by a method: `reasons(observation, mask)`; `reasons_at(states, rng)` if it needs states,
    with positions like those for `choose`; `reasons_in(rows, seats, observation, mask)` if it remembers, with
    its memory of these seats, which stays as it is. Arguments are as for `polytrix.agents.ask`.

    Returns:
        Arrays (n, A) float32. Numbers of illegal actions, and values of actions that the search has not tried,
        mean nothing.

    Raises:
        PolicyError: the policy does not tell its reasons, or lacks an argument for them.

    >>> import polytrix
    >>> from polytrix.agents import resolve
    >>> sim = polytrix.Simulator(polytrix.find("quatrix"), num_envs=1, seed=1)
    >>> policy = resolve("greedy", sim.game)
    >>> numbers = reasons(policy, sim.observation, sim.mask, np.random.default_rng(0))
    >>> list(numbers), numbers["score"].shape == sim.mask.shape
    (['score'], True)
    """
    found: dict[str, FloatArray]
    with naming(np.arange(len(mask)) if rows is None else rows):
        if needs_states(policy) and states is not None and hasattr(policy, "reasons_at"):
            found = policy.reasons_at(worlds(policy.game, states, rng, policy.mode), rng)
        elif remembers(policy) and rows is not None and seats is not None and hasattr(policy, "reasons_in"):
            found = policy.reasons_in(rows, seats, observation, mask)
        elif hasattr(policy, "reasons"):
            found = policy.reasons(observation, mask)
        else:
            raise PolicyError(
                f"policy {name_of(policy)!r} does not tell its reasons; give it a method "
                "reasons(observation, mask) -> {name: numbers (n, A)}, and what it needs, as for `ask`"
            )
    return found
