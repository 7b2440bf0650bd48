"""Placeholders for a game's rules, with the contract of each.

A game supplies its own function for each name below. The drivers in `drivers.py` call
these placeholders; the compiler substitutes the game's functions.

Rules are plain Python functions over one record, in the subset that compiles for both CPU
and GPU: integers and booleans; no allocation, strings, lists, dicts, exceptions, closures,
recursion or random numbers. Scratch space lives in the record. A field that holds one number is
read as a Python integer; an entry of an array, `s.ring[i]`, is read through `int(...)` where
arithmetic can overflow its type, since plain Python wraps around there. An index that is no
constant counts from the start: a negative one is an IndexError in checked mode, and reads
anything in compiled mode.
"""

from __future__ import annotations

from .state import ByteArray, FloatArray, IdArray, IntArray, Record, RecordArray


def setup(s: Record) -> None:
    """Set up the initial position. Set every field of the game: the record may hold an earlier game."""
    raise NotImplementedError


def chance(s: Record) -> int:
    """Return the number of equally likely outcomes, at least 1, of the pending event; `s.mover` is CHANCE.

    Optional, for games without chance.
    """
    return 1


def legal(s: Record, ids: IdArray) -> int:
    """Write the legal actions of seat `s.mover` to `ids`, ascending; return their number, at least 1."""
    raise NotImplementedError


def apply(s: Record, action: int) -> None:
    """Apply the mover's action, or outcome `action` of the pending chance event; set `s.mover`."""
    raise NotImplementedError


def payoff(s: Record, out: FloatArray) -> None:
    """Write one payoff per seat to `out`, which is zero. Called once `s.mover` is OVER.

    Payoffs sum to zero. Seats from `s.num_players` on do not play and keep their zero.
    `s.truncated` is 1 if a limit ended the game.
    """
    raise NotImplementedError


def observe(s: Record, seat: int, out: ByteArray) -> None:
    """Write what `seat` knows, from its own point of view, to `out`, which is zero. Called at any time."""
    raise NotImplementedError


def redeal(s: Record, seat: int) -> None:
    """Resample uniformly, with `random.draw`, all that `seat` cannot know, consistent with what it knows.

    Called at any time, also while chance is pending. Optional, for games in which nothing is hidden.
    """


def believe(s: Record, seat: int) -> None:
    """Like `redeal`, but weighted by what `seat` can infer from the other seats' actions.

    For agents that look ahead. Optional: by default they treat all consistent states as equally likely.
    """
    redeal(s, seat)


def hidden_action(s: Record, seat: int) -> int:
    """Return the action that `seat` has taken and no other seat sees yet; -1 if there is none.

    Every seat knows whether there is one. Optional; for agents that look ahead, as `set_hidden_action`.
    """
    return -1


def set_hidden_action(s: Record, seat: int, action: int) -> None:
    """Let `seat` have taken another action unseen, instead. Change nothing if it could not have."""


def check(before: Record, s: Record) -> int:
    """Return the number of an invariant that `s` violates, from 1 as in `Game.invariants`; 0 if all hold.

    `before` is the state one action or chance outcome earlier, for invariants of transitions;
    it is `s` itself where no earlier state is known.
    """
    return 0


def potential(s: Record, seat: int) -> float:
    """Return the potential for `seat`, for reward shaping (Ng, Harada, Russell 1999). Not called once over."""
    return 0.0


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Score each legal action `ids[:count]` in `score[:count]`; the greedy policy plays a highest-scoring one.

    It sees only the observation, like any policy. `work` is two scratch states for reconstructing and
    trying positions; all their fields, `num_players` and options included, hold leftovers.
    """
    for i in range(count):
        score[i] = 0.0


def rate(
    heuristic: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Like `greedy`, for heuristic number `heuristic` of `Game.heuristics`, followed by `Game.habits`."""
    for i in range(count):
        score[i] = 0.0


def tally(before: Record, action: int, s: Record, out: IntArray) -> None:
    """Add to `out[seat]`, laid out by `Game.behaviour`, what a decision tells of how the seats play.

    Args:
        before: the state in which `before.mover` took the action.
        s: the state at the next decision, or at the end: chance has been drawn.
    """


DISJOINT = (legal, payoff, observe, greedy, rate, tally)
"""The rules that write an array. Whoever calls them passes arguments that do not overlap in memory: `ids` or
`out` is no part of the record. The compiler relies on it."""

PLACEHOLDERS = (
    setup, chance, legal, apply, payoff, observe, redeal, believe, hidden_action, set_hidden_action, check,
    potential, greedy, rate, tally,
)  # fmt: skip
"""All of them."""
