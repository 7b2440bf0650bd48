"""The numbers behind a policy's choice: probabilities, scores, or visits and values."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from polytrix.core.errors import PolicyError
from polytrix.core.state import ByteArray, FloatArray, IntArray, RecordArray

from .policy import Policy, name_of, needs_states, remembers, worlds


@runtime_checkable
class Reasoning(Protocol):
    """A policy that tells its reasons."""

    def reasons(self, observation: ByteArray, mask: ByteArray) -> dict[str, FloatArray]:
        """Numbers (n, A) by name; the first name decides: the policy prefers actions with a higher number."""
        ...


@runtime_checkable
class StateReasoning(Protocol):
    """A `StatePolicy` that tells its reasons."""

    def reasons_at(self, states: RecordArray, rng: np.random.Generator) -> dict[str, FloatArray]:
        """As for `Reasoning`, from positions like those for `choose`."""
        ...


@runtime_checkable
class RememberingReasoning(Protocol):
    """A `RememberingPolicy` that tells its reasons."""

    def reasons_in(
        self, rows: IntArray, seats: IntArray, observation: ByteArray, mask: ByteArray
    ) -> dict[str, FloatArray]:
        """As for `Reasoning`, with the memory of these games and seats, which stays as it is."""
        ...


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

    Args:
        policy, observation, mask, rng, states, rows, seats: as for `polytrix.agents.ask`.

    Returns:
        Arrays (n, A) float32. Numbers of illegal actions, and values of actions that the search has not tried,
        mean nothing.

    Raises:
        PolicyError: the policy does not tell its reasons, or needs states, or rows and seats, and they are
            not given.

    >>> import polytrix
    >>> from polytrix.agents import resolve
    >>> sim = polytrix.Simulator(polytrix.find("quatrix"), num_envs=1, seed=1)
    >>> policy = resolve("greedy", sim.game)
    >>> numbers = reasons(policy, sim.observation, sim.mask, np.random.default_rng(0))
    >>> list(numbers), numbers["score"].shape == sim.mask.shape
    (['score'], True)
    """
    if needs_states(policy) and isinstance(policy, StateReasoning) and states is not None:
        return policy.reasons_at(worlds(policy.game, states, rng, policy.mode), rng)
    if (
        remembers(policy)
        and isinstance(policy, RememberingReasoning)
        and rows is not None
        and seats is not None
    ):
        return policy.reasons_in(rows, seats, observation, mask)
    if isinstance(policy, Reasoning):
        return policy.reasons(observation, mask)
    raise PolicyError(
        f"policy {name_of(policy)!r} does not tell its reasons; give it a method "
        "reasons(observation, mask) -> {name: numbers (n, A)}, and what it needs, as for `ask`"
    )
