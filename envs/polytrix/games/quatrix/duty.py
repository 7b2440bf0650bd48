"""The duty to use both dice (QX-70, QX-71, QX-82)."""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.constants import Constants
from polytrix.core.state import IdArray

from .bitboard import BIT, CROSS, LAST_SQUARE, Half
from .ending import pips_home
from .moves import Starts, carry, die_of, forget_first_move, has_candidate, make_move, square_of, units_of
from .state import PIECES, STEP, State, toggle_ring


class Outcome(Constants):
    """What a first die move leads to."""

    NO_SECOND, SECOND, WIN = range(3)


TOUCHED = 6
"""How many units the quick test counts with a first move: its own, and one on each square of a cross."""


def all_leave_second(s: State, ids: IdArray, split: int, count: int, high: Starts, low: Starts) -> bool:
    """A quick test whether the duty forbids nothing: every first move leaves another unit a second one.

    `ids[:split]` are moves with the higher die and `ids[split:count]` with the lower one, or all
    are doubles; `high` and `low` tell where moves with each die start. A unit that can move with
    the other die still can after the first move if it stands on neither of that move's squares, nor
    where the other die leads to its landing square. False means that the quick test cannot tell.
    """
    if pips_home(s, s.turn_seat) == PIECES - 1:
        return False  # a first move might win
    if s.dice[0] == s.dice[1]:
        return leave_second(s, ids, 0, count, 0, high)
    return leave_second(s, ids, 0, split, 0, low) and leave_second(s, ids, split, count, 1, high)


def leave_second(s: State, ids: IdArray, begin: int, end: int, die: int, others: Starts) -> bool:
    """`all_leave_second` for the moves `ids[begin:end]` with `die`; `others` start those with the other die."""
    near, far = units_of(others)
    if size(near) + size(far) > TOUCHED:
        return True
    distance = int(s.dice[die])
    other = int(s.dice[1 - die])
    for i in range(begin, end):
        square = square_of(ids[i])
        landing = square + distance * STEP[ids[i] & 3]
        left_near = near & ~BIT[square, Half.NEAR] & ~CROSS[other, landing, Half.NEAR]
        left_far = far & ~BIT[square, Half.FAR] & ~CROSS[other, landing, Half.FAR]
        if left_near | left_far == 0:
            return False
    return True


def dutiful(s: State, ids: IdArray, count: int) -> int:
    """Keep the legal ones of all first die moves (QX-70, QX-71, QX-82); return their number."""
    duty = False
    for i in range(count):
        duty = duty or outcome(s, ids[i]) == Outcome.SECOND
    if not duty:
        return count
    kept = 0
    for i in range(count):
        if outcome(s, ids[i]) != Outcome.NO_SECOND:
            ids[kept] = ids[i]
            kept += 1
    return kept


def outcome(s: State, action: int) -> int:
    """Try a first die move, and take it back."""
    seat = s.turn_seat
    popped = make_move(s, action)
    if pips_home(s, seat) == PIECES:
        result = Outcome.WIN
    elif has_candidate(s, 1 - die_of(s, action)):  # a popped ring returns out of reach (QX-12)
        result = Outcome.SECOND
    else:
        result = Outcome.NO_SECOND
    landing = s.first_to
    carry(s, seat, s.first_kind, landing, s.first_from, False)
    if popped:
        toggle_ring(s, 1 - seat, LAST_SQUARE - landing)
    forget_first_move(s)
    return result
