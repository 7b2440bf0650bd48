"""What a policy is: a batched callable that sees observations and masks, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np
import numpy.typing as npt

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument, programs
from polytrix.core.errors import PolicyError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, IntArray, RecordArray


class Policy(Protocol):
    """Chooses an action for each of some decisions, of whatever games and seats.

    A policy may carry an attribute `name` (text for tables and logs; the pool of a training
    run tells its members apart by it), and one of the package's own an attribute `built_in`:
    the number under which it also runs inside the compiled loop. One that has the attribute
    `needs_states` is a `StatePolicy` as well, and one that `remembers` a `RememberingPolicy`.
    """

    def __call__(
        self, observation: ByteArray, mask: ByteArray, rng: np.random.Generator
    ) -> npt.NDArray[np.integer]:
        """Choose.

        Args:
            observation: (n, O) int8, each row what the seat to move sees.
            mask: (n, A) int8, 1 where its action is legal.
            rng: the only source of randomness a policy should use.

        Returns:
            (n,) integers, a legal action for each row.
        """
        ...


class StatePolicy(Protocol):
    """A policy that looks ahead in positions instead of looking at observations.

    It never gets the positions themselves. In its copies all that the mover cannot know has been dealt
    anew, and chance has another future; `ask` sees to that.
    """

    game: Game
    mode: Mode
    needs_states: bool

    def choose(self, states: RecordArray, rng: np.random.Generator) -> npt.NDArray[np.integer]:
        """Choose a legal action for the mover of each of some positions, (n,) records."""
        ...


class RememberingPolicy(Policy, Protocol):
    """A policy that knows the seats of its games apart, since it remembers what each has seen.

    `begin_games` says when games begin, all together, and `ask_rows` or `ask` when and where to choose;
    `evaluate`, the arena and the commands do so. Asked twice about one decision, it remembers it twice.
    """

    remembers: bool

    def begin(self, games: int) -> None:
        """Forget everything; the next games have the numbers 0 to `games - 1`."""
        ...

    def act(
        self,
        rows: IntArray,
        seats: IntArray,
        observation: ByteArray,
        mask: ByteArray,
        rng: np.random.Generator,
    ) -> npt.NDArray[np.integer]:
        """Choose for seats `seats` of games `rows`, (n,) each, no seat twice; otherwise as a `Policy`."""
        ...


def name_of(policy: Policy) -> str:
    """What to call a policy in tables: its `name`, or that of the function or class.

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
    """Whether a policy is to be asked by `StatePolicy.choose`."""
    return bool(getattr(policy, "needs_states", False))


def remembers(policy: Policy) -> TypeGuard[RememberingPolicy]:
    """Whether a policy is to be asked by `RememberingPolicy.act`."""
    return bool(getattr(policy, "remembers", False))


def begin_games(policy: Policy, games: int) -> None:
    """Tell a policy that games 0 to `games - 1` begin; only a `RememberingPolicy` wants to know."""
    if remembers(policy):
        policy.begin(games)


def ask_rows(
    policy: Policy, simulator: Simulator, rows: Sequence[int] | IntArray, rng: np.random.Generator
) -> IntArray:
    """The policy's actions for the movers of some rows of a simulator, (n,) int64, checked.

    To a `RememberingPolicy` the rows' numbers are those of the games.
    """
    states = simulator.states[rows] if needs_states(policy) else None
    numbers = np.asarray(rows, np.int64)
    seen = simulator.observation[rows], simulator.mask[rows]
    return ask(policy, *seen, rng, states, rows=numbers, seats=simulator.mover[numbers])


def ask(
    policy: Policy,
    observation: ByteArray,
    mask: ByteArray,
    rng: np.random.Generator,
    states: RecordArray | None = None,
    *,
    rows: IntArray | None = None,
    seats: IntArray | None = None,
) -> IntArray:
    """The policy's actions, checked.

    Args:
        policy, observation, mask, rng: as for `Policy`.
        states: (n,) the positions, for a `StatePolicy`. They are copied, and what the movers cannot
            know is dealt anew in the copies, before the policy gets them.
        rows, seats: (n,) the numbers of the games, and who moves there, for a `RememberingPolicy`.

    Returns:
        (n,) int64 legal actions.

    Raises:
        PolicyError: naming the policy, if it returns anything else, or needs states, or rows and seats, and
            there are none.

    A loop of your own over a PettingZoo environment has them in `env.unwrapped.record`:

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
    if needs_states(policy) and states is not None:
        forced = np.count_nonzero(mask, axis=1) == 1
        answer = np.asarray(mask.argmax(axis=1))
        if not forced.all():
            dealt = worlds(policy.game, states[~forced], rng, policy.mode)
            answer[~forced] = policy.choose(dealt, rng)
    elif remembers(policy) and rows is not None and seats is not None:
        answer = np.asarray(policy.act(rows, seats, observation, mask, rng))
    else:
        answer = np.asarray(policy(observation, mask, rng))
    return checked(policy, answer, mask)


def worlds(
    game: Game, states: RecordArray, rng: np.random.Generator, mode: Mode = Mode.COMPILED
) -> RecordArray:
    """Copies of positions in which all that the mover cannot know is dealt anew, by generators of their own.

    What the copies are follows from what the movers know and from `rng`.

    Args:
        game: whose positions they are.
        states: (n,) records, in each of which a seat is to move.
        rng: for the new deals, and for the copies' future.
        mode: how the rules are run.
    """
    copies = states.copy().view(np.recarray)
    copies["generator"]["key"] = rng.integers(0, 1 << 63, len(copies), dtype=np.uint64)
    copies["generator"]["counter"] = 0
    seats = copies["mover"].astype(np.int64)
    programs(game, mode).redeal_rows(as_argument(copies, mode), np.arange(len(copies)), seats)
    return copies


def checked(policy: Policy, actions: npt.NDArray[Any], mask: ByteArray) -> IntArray:
    """A policy's answer as (n,) int64, or PolicyError if it is none."""
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
