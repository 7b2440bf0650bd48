"""Features of the game that long random play must reach, counted from the states before and after a step."""

from __future__ import annotations

from polytrix.core.bits import lowest, size
from polytrix.core.constants import Constants
from polytrix.core.state import IntArray

from .bitboard import COLUMNS, NEAR_SQUARES, ROWS, Half, has, row_of
from .ending import pips_home
from .state import Kind, Phase, State

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


class Feature(Constants):
    """The numbers of `FEATURES`."""

    (
        TIE, DOUBLES, PIP_MOVE, RING_JOINS, DISC_JOINS, STRAIGHT_ON, TURN, POP, RETURN, RETURN_TO_DISC,
        HOME, LEAVES_HOME, FORFEIT, DIE_UNUSED, WIN_1, WIN_2, WIN_3, CUT_OFF, CUT_OFF_POPPED,
    ) = range(len(FEATURES))  # fmt: skip


NO_SQUARE = -1


def cover(before: State, s: State, seen: IntArray) -> None:
    """Count the features that the step shows."""
    if before.mover >= 0:
        cover_decision(before, s, seen)
    elif before.phase == Phase.OPENING and before.opening_rolled == 3 and s.phase == Phase.OPENING:
        seen[Feature.TIE] += 1
    elif before.phase == Phase.ROLL and s.phase == Phase.MOVE and s.dice[0] == s.dice[1]:
        seen[Feature.DOUBLES] += 1


def cover_decision(before: State, s: State, seen: IntArray) -> None:
    """Those of a decision: a die move, the return of a popped ring or a pass."""
    seat = int(before.mover)
    if before.phase == Phase.PLACE:
        seen[Feature.RETURN] += 1
        seen[Feature.RETURN_TO_DISC] += pips(s, 1 - seat) - pips(before, 1 - seat)
        if s.phase == Phase.ROLL and before.used[0] + before.used[1] == 1:
            seen[Feature.FORFEIT] += 1
    else:
        cover_move(before, s, seat, seen)
    if s.phase == Phase.PLACE:
        seen[Feature.POP] += 1
    if s.phase == Phase.OVER:
        seen[Feature.WIN_1 + int(s.odds) - 1] += 1
        if s.used[0] == 0 or s.used[1] == 0:
            seen[Feature.DIE_UNUSED] += 1
    if s.truncated:
        seen[Feature.CUT_OFF] += 1
        if s.phase == Phase.PLACE:
            seen[Feature.CUT_OFF_POPPED] += 1


def cover_move(before: State, s: State, seat: int, seen: IntArray) -> None:
    """Those of a die move or a pass."""
    ring_from = first_of(before.ring[seat], s.ring[seat])
    disc_from = first_of(before.disc[seat], s.disc[seat])
    if ring_from == NO_SQUARE and disc_from == NO_SQUARE:
        seen[Feature.FORFEIT] += 1  # a pass
        return
    landing = max(first_of(s.ring[seat], before.ring[seat]), first_of(s.disc[seat], before.disc[seat]))
    if ring_from != NO_SQUARE and disc_from != NO_SQUARE:
        seen[Feature.PIP_MOVE] += 1
    elif has(s.ring[seat], landing) and has(s.disc[seat], landing):
        seen[Feature.RING_JOINS if disc_from == NO_SQUARE else Feature.DISC_JOINS] += 1
    home = pips_home(s, seat) - pips_home(before, seat)
    if home > 0:
        seen[Feature.HOME] += 1
    elif home < 0:
        seen[Feature.LEAVES_HOME] += 1
    if before.first_kind == Kind.NONE:
        if s.phase == Phase.ROLL:
            seen[Feature.FORFEIT] += 1
    elif max(ring_from, disc_from) == before.first_to:
        upright = (landing - int(before.first_to)) % COLUMNS == 0
        was_upright = (int(before.first_to) - int(before.first_from)) % COLUMNS == 0
        seen[Feature.STRAIGHT_ON if upright == was_upright else Feature.TURN] += 1


def pips(s: State, seat: int) -> int:
    """The number of a colour's pips."""
    count = 0
    for row in range(ROWS):
        count += size(row_of(s.ring[seat], row) & row_of(s.disc[seat], row))
    return count


def first_of(halves: IntArray, other: IntArray) -> int:
    """The first square of the set `halves` that is not in `other`."""
    near = int(halves[Half.NEAR]) & ~int(other[Half.NEAR])
    if near:
        return lowest(near)
    far = int(halves[Half.FAR]) & ~int(other[Half.FAR])
    if far:
        return NEAR_SQUARES + lowest(far)
    return NO_SQUARE
