"""The duty to use both dice (QX-70, QX-71, QX-82)."""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.state import IdArray

from .bitboard import BIT, CROSS, LAST_SQUARE, Half
from .ending import pips_home
from .moves import carry, die_of, has_candidate, kind_of, pops, square_of
from .state import PIECES, STEP, Kind, State, toggle_ring


class Outcome(Constants):
    """What a first die move leads to."""

    NO_SECOND, SECOND, WIN = range(3)


def all_leave_second(s: State, ids: IdArray, split: int, count: int) -> bool:
    """A quick proof that the duty forbids nothing: every move leaves another unit something to do.

    `ids[:split]` are moves of the higher die and `ids[split:count]` of the lower one, or all
    are doubles. A unit that can move with the other die still can after the first move if it
    shares no square with that, and cannot only land where the first move ended.
    False means only that this test does not know.
    """
    if pips_home(s, int(s.turn_seat)) == PIECES - 1:
        return False  # a first move might win
    if s.dice[0] == s.dice[1]:
        return leave_second(s, ids, 0, count, 0, count, 0)
    return leave_second(s, ids, 0, split, split, count, 0) and leave_second(s, ids, split, count, 0, split, 1)


def leave_second(
    s: State, ids: IdArray, begin: int, end: int, other_begin: int, other_end: int, die: int
) -> bool:
    """The test of `all_leave_second` for `ids[begin:end]`, moves with `die`, against those of the other."""
    near = 0
    far = 0
    for j in range(other_begin, other_end):
        square = square_of(ids[j])
        near |= BIT[square, Half.NEAR]
        far |= BIT[square, Half.FAR]
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
    """QX-70, QX-71, QX-82: of the first die moves in `ids`, those that are legal."""
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
    """Try a first die move: does it win, leave a second die move, or neither? The state is restored."""
    seat = int(s.turn_seat)
    square = square_of(action)
    die = die_of(s, action)
    kind = kind_of(s, seat, action)
    landing = square + int(s.dice[die]) * STEP[action % 4]
    popped = pops(s, seat, kind, landing)
    carry(s, seat, kind, square, landing, popped)
    s.first_kind = kind
    s.first_from = square
    s.first_to = landing
    s.first_direction = action % 4
    if pips_home(s, seat) == PIECES:
        result = Outcome.WIN
    elif has_candidate(s, 1 - die):  # the popped ring's return cannot matter: it is out of reach
        result = Outcome.SECOND
    else:
        result = Outcome.NO_SECOND
    carry(s, seat, kind, landing, square, False)
    if popped:
        toggle_ring(s, 1 - seat, LAST_SQUARE - landing)
    s.first_kind = Kind.NONE
    s.first_from = 0
    s.first_to = 0
    s.first_direction = 0
    return result
