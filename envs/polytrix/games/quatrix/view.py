"""Who may know what: everything is public in Quatrix."""

from __future__ import annotations

from polytrix.core.state import OVER, ByteArray

from .state import (
    COUNT,
    FINISHED,
    LAST_ROW,
    LAST_SQUARE,
    MOVE,
    NEAR_SQUARES,
    NO_KIND,
    OBSERVATIONS,
    PIECES,
    PLACE,
    ROLL,
    State,
    pips_home,
    row_of,
)
from .tables import BIT_INDEX, BIT_MODULUS

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


def observe(s: State, seat: int, out: ByteArray) -> None:
    """The position in the own view of `seat`; blocks as in `state.OBSERVATIONS`."""
    for word in range(2):
        ring, disc = int(s.ring[seat, word]), int(s.disc[seat, word])
        show_set(ring & ~disc, out, OWN_RING + word * NEAR_SQUARES)
        show_set(disc & ~ring, out, OWN_DISC + word * NEAR_SQUARES)
        show_set(ring & disc, out, OWN_PIP + word * NEAR_SQUARES)
        ring, disc = int(s.enemy_ring[seat, word]), int(s.enemy_disc[seat, word])
        show_set(ring & ~disc, out, ENEMY_RING + word * NEAR_SQUARES)
        show_set(disc & ~ring, out, ENEMY_DISC + word * NEAR_SQUARES)
        show_set(ring & disc, out, ENEMY_PIP + word * NEAR_SQUARES)
    phase = FINISHED if s.mover == OVER else int(s.phase)
    if MOVE <= phase <= PLACE:
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


def show_set(squares: int, out: ByteArray, at: int) -> None:
    """One word of a set of squares, as ones of a board plane."""
    while squares:
        lowest = squares & -squares
        out[at + BIT_INDEX[lowest % BIT_MODULUS]] = 1
        squares ^= lowest


def show_roll(s: State, seat: int, out: ByteArray) -> None:
    """The dice of the turn, and its first die move."""
    for die in range(2):
        out[DICE + 6 * die + int(s.dice[die]) - 1] = 1
        out[UNUSED + die] = 1 - s.used[die]
    out[DOUBLES] = s.dice[0] == s.dice[1]
    if s.first_kind == NO_KIND:
        return
    own = s.turn_seat == seat
    square = int(s.first_to)
    out[MOVED_SQUARE + (square if own else LAST_SQUARE - square)] = 1
    out[MOVED_KIND + int(s.first_kind) - 1] = 1
    direction = int(s.first_direction)
    out[MOVED_DIRECTION + (direction if own else direction ^ 1)] = 1


def redeal(s: State, seat: int) -> None:
    """Nothing is hidden, and dice are drawn when they are rolled."""


def potential(s: State, seat: int) -> float:
    """How much further the own pieces have come: (A_own - A_enemy) / (14 z)."""
    return (advance(s, seat) - advance(s, 1 - seat)) / (2.0 * PIECES * zone(s))


def advance(s: State, seat: int) -> int:
    """Sum over the pieces of min(own row, first zone row); a popped ring counts 0."""
    total = 0
    for row in range(1, LAST_ROW):
        pieces = COUNT[row_of(s.ring[seat], row)] + COUNT[row_of(s.disc[seat], row)]
        total += pieces * min(row, zone(s))
    return total


def zone(s: State) -> int:
    """The own row on which the finish zone begins."""
    return LAST_ROW - int(s.options.finish_depth)
