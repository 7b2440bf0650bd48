"""The interface of policies: batched callables of observations and action masks, and their reasons."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter, signature
from typing import Any, Protocol, TypeGuard

import numpy as np
import numpy.typing as npt

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument, programs
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.loaded import all_or_nothing, any_loaded, mode_for, naming
from polytrix.core.policy import Policy as Policy
from polytrix.core.records import as_records
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, FloatArray, IntArray, RecordArray


class StatePolicy(Policy, Protocol):
    """A policy that searches from positions instead of observations.

    It never gets the true positions: `ask` makes `worlds` of them.
    """

    game: Game
    mode: Mode
    needs_states: bool

    def choose(self, states: RecordArray, rng: np.random.Generator) -> npt.NDArray[np.integer]:
        """Choose a legal action for the mover of each position, (n,) records."""
        ...


class RememberingPolicy(Policy, Protocol):
    """A policy with a memory for each seat of each game.

    Call `begin_games` when a batch of games begins, then `ask_rows` or `ask` for each decision; `evaluate`, the
    arena and the commands do so. If it is asked twice about one decision, it remembers that decision twice.
    """

    remembers: bool

    def begin(self, games: int) -> None:
        """Forget everything, and begin games 0 to `games - 1`."""
        ...

    def act(
        self,
        rows: IntArray,
        seats: IntArray,
        observation: ByteArray,
        mask: ByteArray,
        rng: np.random.Generator,
    ) -> npt.NDArray[np.integer]:
        """Choose for seats `seats` of games `rows`, (n,) each, without duplicates; otherwise like `Policy`."""
        ...


def name_of(policy: Policy) -> str:
    """The name of a policy for tables: its `name`, or the name of the function or class.

    >>> def cautious(observation, mask, rng): ...
    >>> name_of(cautious)
    'cautious'
    """
    for source in (policy, type(policy)):
        for attribute in ("name", "__name__"):
            name = getattr(source, attribute, None)
            if isinstance(name, str):
                return name
    return repr(policy)


def needs_states(policy: Policy) -> TypeGuard[StatePolicy]:
    """Whether a policy is a `StatePolicy`."""
    return bool(getattr(policy, "needs_states", False))


def remembers(policy: Policy) -> TypeGuard[RememberingPolicy]:
    """Whether a policy is a `RememberingPolicy`."""
    return bool(getattr(policy, "remembers", False))


TOLD = ("rows", "seats", "games")
"""Further parameters of a function or of a class's `__call__`, to be told of each decision, (n,) int64: the row
of its game in the batch, the seat to move, and, for opponents in environments, the number of the game in its
row, from 0 on since the row was seeded."""


def asks_for(policy: Policy) -> set[str]:
    """Which of `TOLD` are parameters of a policy.

    >>> def mine(observation, mask, rng, *, rows, games): ...
    >>> sorted(asks_for(mine))
    ['games', 'rows']
    """
    code = getattr(policy, "__code__", None) or getattr(type(policy).__call__, "__code__", None)
    if code is not None:  # ten times as fast as a signature
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    else:
        parameters = tuple(signature(policy).parameters)
    return {name for name in TOLD if name in parameters}


def begin_games(policy: Policy, games: int) -> None:
    """Tell a policy that games 0 to `games - 1` begin. Has an effect on a `RememberingPolicy` only."""
    if remembers(policy):
        policy.begin(games)


def ask_rows(
    policy: Policy,
    simulator: Simulator,
    rows: Sequence[int] | IntArray,
    rng: np.random.Generator,
    games: IntArray | None = None,
) -> IntArray:
    """The policy's actions for the movers of some rows of a simulator, (n,) int64, checked.

    For a `RememberingPolicy`, the row is the number of the game. `games` is for policies that ask for it.
    """
    states = simulator.states[rows] if needs_states(policy) else None
    numbers = np.asarray(rows, np.int64)
    seen = simulator.observation[rows], simulator.mask[rows]
    return ask(policy, *seen, rng, states, rows=numbers, seats=simulator.mover[numbers], games=games)


def ask(
    policy: Policy,
    observation: ByteArray,
    mask: ByteArray,
    rng: np.random.Generator,
    states: RecordArray | None = None,
    *,
    rows: IntArray | None = None,
    seats: IntArray | None = None,
    games: IntArray | None = None,
) -> IntArray:
    """The policy's actions, checked.

    Args:
        policy, observation, mask, rng: as for `Policy`.
        states: (n,) positions, for a `StatePolicy`, which gets `worlds` of them.
        rows, seats: (n,) numbers of the games, and the seats to move, for a `RememberingPolicy` and for
            policies that ask for them (`TOLD`).
        games: (n,) for policies that ask for it.

    Returns:
        (n,) int64 legal actions.

    Raises:
        PolicyError: the policy returns anything else, or needs states, or rows and seats, that are not given.

    In your own loop over a PettingZoo environment, the position is `env.unwrapped.record`:

    >>> from polytrix import quatrix_v0
    >>> from polytrix.agents import resolve
    >>> env = quatrix_v0.env()
    >>> env.reset(seed=7)
    >>> seen = env.last()[0]
    >>> policy, rng = resolve("search:50", env.unwrapped.game), np.random.default_rng(0)
    >>> states = env.unwrapped.record.reshape(1)
    >>> actions = ask(policy, seen["observation"][None], seen["action_mask"][None], rng, states)
    >>> env.step(int(actions[0]))
    """
    places = np.arange(len(mask)) if rows is None else rows
    if needs_states(policy) and states is not None:
        free = np.count_nonzero(mask, axis=1) != 1
        answer = np.asarray(mask.argmax(axis=1))
        if free.any():
            with naming(places[free]):
                dealt = worlds(policy.game, states[free], rng, policy.mode)
                answer[free] = policy.choose(dealt, rng)
    elif remembers(policy) and rows is not None and seats is not None:
        answer = np.asarray(policy.act(rows, seats, observation, mask, rng))
    else:
        known = {"rows": rows, "seats": seats, "games": games}
        more = {name: known[name] for name in asks_for(policy)}
        for name in [name for name, numbers in more.items() if numbers is None]:
            if signature(policy).parameters[name].default is Parameter.empty:
                raise PolicyError(
                    f"policy {name_of(policy)!r} has a parameter {name!r}, which is not told here; "
                    "give it a default"
                )
            del more[name]
        with naming(places):
            answer = np.asarray(policy(observation, mask, rng, **more))
    return checked(policy, answer, mask)


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


def worlds(
    game: Game, states: RecordArray, rng: np.random.Generator, mode: Mode = Mode.COMPILED
) -> RecordArray:
    """Copies of positions (n,) in which everything hidden from the mover and future chance are resampled.

    The copies depend on what the movers know and on `rng` only.

    Raises:
        SnapshotError: a position was loaded, and nothing can be redealt there.
    """
    copies = as_records(states.copy())
    copies["generator"]["key"] = rng.integers(0, 1 << 63, len(copies), dtype=np.uint64)
    copies["generator"]["counter"] = 0
    seats = copies["mover"].astype(np.int64)
    run, rows = programs(game, mode_for(states, mode)).redeal_rows, np.arange(len(copies))
    dealt = as_argument(copies, mode)
    if any_loaded(states):
        all_or_nothing(lambda part: run(dealt, rows[part], seats[part]), rows, dealt, (dealt,))
    else:
        run(dealt, rows, seats)
    return copies


def checked(policy: Policy, actions: npt.NDArray[Any], mask: ByteArray) -> IntArray:
    """A policy's actions as (n,) int64, or PolicyError if they are not valid."""
    if actions.dtype.kind not in "iu":
        raise PolicyError(
            f"policy {name_of(policy)!r} returned actions of dtype {actions.dtype}; expected integers"
        )
    if actions.shape != mask.shape[:1]:
        raise PolicyError(
            f"policy {name_of(policy)!r} returned actions of shape {actions.shape}; "
            f"expected {mask.shape[:1]}, one per row"
        )
    known = (actions >= 0) & (actions < mask.shape[1])
    legal = known & (mask[np.arange(len(actions)), np.where(known, actions, 0)] != 0)
    if not legal.all():
        bad = int(np.flatnonzero(~legal)[0])
        raise PolicyError(
            f"policy {name_of(policy)!r} chose action {actions[bad]}, which is illegal there "
            f"({int(np.count_nonzero(mask[bad]))} actions are legal); choose where the mask is 1"
        )
    return actions.astype(np.int64, copy=False)
