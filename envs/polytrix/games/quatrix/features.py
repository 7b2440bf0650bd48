"""What long random play must have reached: counted step by step, from the two states around it."""

from __future__ import annotations

from polytrix.core.state import IntArray

from .state import (
    COLUMNS,
    COUNT,
    FAR,
    FINISHED,
    MOVE,
    NEAR,
    NEAR_SQUARES,
    NO_KIND,
    OPENING,
    PLACE,
    ROLL,
    ROWS,
    State,
    has,
    pips_home,
    row_of,
)
from .tables import BIT_INDEX, BIT_MODULUS

FEATURES = (
    "tie in the opening roll",
    "doubles",
    "a pip moves as a unit",
    "a ring joins a disc",
    "a disc joins a ring",
    "one unit goes straight on with both dice",
    "one unit turns with both dice",
    "a ring is popped",
    "a popped ring comes back",
    "a popped ring comes back as part of a pip",
    "a pip comes home",
    "a home pip is left or taken apart",
    "a die is forfeited",
    "a win with a die unused",
    "a win with odds 1",
    "a win with odds 2",
    "a win with odds 3",
    "truncated",
    "truncated before a popped ring comes back",
)
(
    TIE,
    DOUBLES,
    PIP_MOVE,
    RING_JOINS,
    DISC_JOINS,
    STRAIGHT_ON,
    TURN,
    POP,
    RETURN,
    RETURN_TO_DISC,
    HOME,
    LEAVES_HOME,
    FORFEIT,
    DIE_UNUSED,
    WIN_1,
    WIN_2,
    WIN_3,
    CUT_OFF,
    CUT_OFF_POPPED,
) = range(len(FEATURES))

NO_SQUARE = -1


def cover(before: State, s: State, seen: IntArray) -> None:
    """Count what the step shows."""
    if before.mover >= 0:
        cover_decision(before, s, seen)
    elif before.phase == OPENING and before.opening_rolled == 3 and s.phase == OPENING:
        seen[TIE] += 1
    elif before.phase == ROLL and s.phase == MOVE and s.dice[0] == s.dice[1]:
        seen[DOUBLES] += 1


def cover_decision(before: State, s: State, seen: IntArray) -> None:
    """A die move, the return of a popped ring or a pass, and what follows from it."""
    seat = int(before.mover)
    if before.phase == PLACE:
        seen[RETURN] += 1
        seen[RETURN_TO_DISC] += pips(s, 1 - seat) - pips(before, 1 - seat)
        if s.phase == ROLL and before.used[0] + before.used[1] == 1:
            seen[FORFEIT] += 1
    else:
        cover_move(before, s, seat, seen)
    if s.phase == PLACE:
        seen[POP] += 1
    if s.phase == FINISHED:
        seen[WIN_1 + int(s.odds) - 1] += 1
        if s.used[0] == 0 or s.used[1] == 0:
            seen[DIE_UNUSED] += 1
    if s.truncated:
        seen[CUT_OFF] += 1
        if s.phase == PLACE:
            seen[CUT_OFF_POPPED] += 1


def cover_move(before: State, s: State, seat: int, seen: IntArray) -> None:
    """A die move, or a pass."""
    ring_from = first_of(before.ring[seat], s.ring[seat])
    disc_from = first_of(before.disc[seat], s.disc[seat])
    if ring_from == NO_SQUARE and disc_from == NO_SQUARE:
        seen[FORFEIT] += 1  # both: a pass
        return
    landing = max(first_of(s.ring[seat], before.ring[seat]), first_of(s.disc[seat], before.disc[seat]))
    if ring_from != NO_SQUARE and disc_from != NO_SQUARE:
        seen[PIP_MOVE] += 1
    elif has(s.ring[seat], landing) and has(s.disc[seat], landing):
        seen[RING_JOINS if disc_from == NO_SQUARE else DISC_JOINS] += 1
    home = pips_home(s, seat) - pips_home(before, seat)
    if home > 0:
        seen[HOME] += 1
    elif home < 0:
        seen[LEAVES_HOME] += 1
    if before.first_kind == NO_KIND:
        if s.phase == ROLL:
            seen[FORFEIT] += 1
    elif max(ring_from, disc_from) == before.first_to:
        upright = (landing - int(before.first_to)) % COLUMNS == 0
        was_upright = (int(before.first_to) - int(before.first_from)) % COLUMNS == 0
        seen[STRAIGHT_ON if upright == was_upright else TURN] += 1


def pips(s: State, seat: int) -> int:
    """How many pips a colour has."""
    count = 0
    for row in range(ROWS):
        count += COUNT[row_of(s.ring[seat], row) & row_of(s.disc[seat], row)]
    return count


def first_of(words: IntArray, other: IntArray) -> int:
    """The first square of the set `words` that is not in `other`."""
    near = int(words[NEAR]) & ~int(other[NEAR])
    if near:
        return int(BIT_INDEX[(near & -near) % BIT_MODULUS])
    far = int(words[FAR]) & ~int(other[FAR])
    if far:
        return NEAR_SQUARES + int(BIT_INDEX[(far & -far) % BIT_MODULUS])
    return NO_SQUARE
