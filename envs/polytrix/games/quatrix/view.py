"""Who may know what: everything is public in Quatrix (section 7)."""

from __future__ import annotations

from polytrix.core.state import OVER, ByteArray, Record

from .state import (
    COLUMNS,
    COUNT,
    FINISHED,
    LAST_ROW,
    MOVE,
    NO_KIND,
    OBSERVATIONS,
    PIECES,
    PLACE,
    ROLL,
    ROWS,
    pips_home,
)

SQUARES = ROWS * COLUMNS
OWN_RING = OBSERVATIONS.offset("own_ring")
OWN_DISC = OBSERVATIONS.offset("own_disc")
OWN_PIP = OBSERVATIONS.offset("own_pip")
ENEMY_RING = OBSERVATIONS.offset("enemy_ring")
ENEMY_DISC = OBSERVATIONS.offset("enemy_disc")
ENEMY_PIP = OBSERVATIONS.offset("enemy_pip")
DICE = OBSERVATIONS.offset("dice")
UNUSED = OBSERVATIONS.offset("unused")
DOUBLES = OBSERVATIONS.offset("doubles")
MOVED_SQUARE = OBSERVATIONS.offset("moved_square")
MOVED_KIND = OBSERVATIONS.offset("moved_kind")
MOVED_DIRECTION = OBSERVATIONS.offset("moved_direction")
MY_TURN = OBSERVATIONS.offset("my_turn")
PHASE = OBSERVATIONS.offset("phase")
HOME = OBSERVATIONS.offset("home")
FINISH_DEPTH = OBSERVATIONS.offset("finish_depth")
COMBINED_STRAIGHT = OBSERVATIONS.offset("combined_straight")
SCORING = OBSERVATIONS.offset("scoring")
CLOCK = OBSERVATIONS.offset("clock")


def observe(s: Record, seat: int, out: ByteArray) -> None:
    """The position in the own view of `seat`; blocks as in `state.OBSERVATIONS`."""
    for row in range(ROWS):
        at = row * COLUMNS
        show_row(int(s.ring[seat, row]), int(s.disc[seat, row]), out, OWN_RING + at)
        show_row(int(s.enemy_ring[seat, row]), int(s.enemy_disc[seat, row]), out, ENEMY_RING + at)
    phase = FINISHED if s.mover == OVER else int(s.phase)
    if phase == MOVE or phase == PLACE:
        show_roll(s, seat, out)
    if ROLL <= phase <= PLACE and s.turn_seat == seat:
        out[MY_TURN] = 1
    out[PHASE + phase] = 1
    out[HOME] = pips_home(s, seat)
    out[HOME + 1] = pips_home(s, 1 - seat)
    out[FINISH_DEPTH + int(s.options.finish_depth) - 1] = 1
    out[COMBINED_STRAIGHT + int(s.options.combined_straight)] = 1
    out[SCORING + int(s.options.scoring)] = 1
    out[CLOCK] = 100 * int(s.decisions) // int(s.options.max_decisions)


def show_row(rings: int, discs: int, out: ByteArray, at: int) -> None:
    """One row of one colour: the ring, disc and pip planes follow each other."""
    if rings | discs == 0:
        return
    for column in range(COLUMNS):
        kind = (rings >> column & 1) + 2 * (discs >> column & 1)
        if kind:
            out[at + column + (kind - 1) * SQUARES] = 1


def show_roll(s: Record, seat: int, out: ByteArray) -> None:
    """The dice of the turn, and its first die move."""
    for die in range(2):
        out[DICE + 6 * die + int(s.dice[die]) - 1] = 1
        out[UNUSED + die] = 1 - s.used[die]
    out[DOUBLES] = s.dice[0] == s.dice[1]
    if s.first_kind == NO_KIND:
        return
    own = s.turn_seat == seat
    square = int(s.first_to)
    out[MOVED_SQUARE + (square if own else SQUARES - 1 - square)] = 1
    out[MOVED_KIND + int(s.first_kind) - 1] = 1
    direction = int(s.first_direction)
    out[MOVED_DIRECTION + (direction if own else direction ^ 1)] = 1


def redeal(s: Record, seat: int) -> None:
    """Nothing is hidden, and dice are drawn when they are rolled."""


def potential(s: Record, seat: int) -> float:
    """How much further the own pieces have come: (A_own - A_enemy) / (14 z), section 8."""
    return (advance(s, seat) - advance(s, 1 - seat)) / (2.0 * PIECES * zone(s))


def advance(s: Record, seat: int) -> int:
    """Sum over the pieces of min(own row, first zone row); a popped ring counts 0."""
    total = 0
    for row in range(1, LAST_ROW):
        pieces = COUNT[s.ring[seat, row]] + COUNT[s.disc[seat, row]]
        total += pieces * min(row, zone(s))
    return total


def zone(s: Record) -> int:
    """The own row on which the finish zone begins."""
    return LAST_ROW - int(s.options.finish_depth)
