"""The functions that make a game, and what each must do.

A game supplies its own function for each name below. The drivers in `drivers.py` call
these placeholders; the compiler puts the game's functions in their place.

Rules are plain Python over one record, in the subset that compiles for CPU and GPU
alike: integers and booleans, no allocation, no strings, lists, dicts, exceptions,
closures or recursion, no random numbers. Scratch space lives in the record. Read a small
field through `int(...)` where arithmetic can leave its range: `int` costs nothing when
compiled, and without it plain Python would wrap around at the field's width.
"""

from __future__ import annotations

from .state import ByteArray, FloatArray, IdArray, IntArray, Record, RecordArray


def setup(s: Record) -> None:
    """Lay out the opening position: set every field of the game, which may hold those of an earlier one."""
    raise NotImplementedError


def chance(s: Record) -> int:
    """Number of equally likely outcomes of the pending event, at least 1. Called when `s.mover` is CHANCE."""
    raise NotImplementedError


def legal(s: Record, ids: IdArray) -> int:
    """Write the legal actions of seat `s.mover` into `ids`, ascending; return how many, at least 1."""
    raise NotImplementedError


def apply(s: Record, action: int) -> None:
    """Carry out the mover's action, or outcome `action` of the pending chance event; set `s.mover`."""
    raise NotImplementedError


def payoff(s: Record, out: FloatArray) -> None:
    """Write one number per seat, once `s.mover` is OVER. `out` is zero. `s.truncated` tells of a cut-off.

    The numbers sum to zero. Seats from `s.num_players` on take no part, and keep their zero.
    """
    raise NotImplementedError


def observe(s: Record, seat: int, out: ByteArray) -> None:
    """Write what `seat` may know, as that seat sees it. `out` is zero. Called at any time, also once over."""
    raise NotImplementedError


def redeal(s: Record, seat: int) -> None:
    """Re-sample uniformly, with `random.draw`, what `seat` cannot know, consistent with what it knows.

    Called at any time, also while chance is pending.
    """
    raise NotImplementedError


def believe(s: Record, seat: int) -> None:
    """As `redeal`, but likelier things more often: what `seat` may guess from what the others have done.

    For agents that look ahead. Optional: without it they take all that is possible for equally likely.
    """
    redeal(s, seat)


def check(before: Record, s: Record) -> int:
    """The number of an invariant that `s` breaks, counted from 1 as in `Game.invariants`; 0 if it keeps all.

    `before` is the state one action or chance outcome earlier, for invariants of what may change;
    it may be `s` itself, where nothing is known of an earlier state.
    """
    return 0


def cover(before: Record, s: Record, seen: IntArray) -> None:
    """Add 1 to `seen[i]` for each of `Game.features` that the step from `before` to `s` shows."""


def potential(s: Record, seat: int) -> float:
    """How well `seat` stands, for shaped rewards (Ng, Harada, Russell 1999). Not called once over."""
    return 0.0


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate each legal action `ids[:count]` in `score[:count]`; the heuristic opponent plays a highest one.

    It sees what any policy sees, and no more. `work` is two states to reconstruct and try things in;
    all their fields hold what was left there, `num_players` and the options as well.
    """
    for i in range(count):
        score[i] = 0.0


def rate(
    heuristic: int, observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """As `greedy`, for the further heuristic of this number in `Game.heuristics`."""
    for i in range(count):
        score[i] = 0.0
