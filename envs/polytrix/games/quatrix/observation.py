"""What a seat sees: everything, in its own view."""

from __future__ import annotations

from polytrix.core.bits import lowest
from polytrix.core.layout import Axis, Layout, block
from polytrix.core.state import OVER, ByteArray

from .bitboard import LAST_SQUARE, NEAR_SQUARES, ROWS, SQUARES
from .ending import pips_home
from .state import COLUMN, DIRECTION, PIECES, Kind, Phase, State

_DIE, _BOARD = Axis("die", 2), (Axis("row", ROWS), COLUMN)


class Obs(Layout):
    """The observation."""

    OWN_RING = block(*_BOARD, meaning="own single rings")
    OWN_DISC = block(*_BOARD, meaning="own single discs")
    OWN_PIP = block(*_BOARD, meaning="own pips")
    ENEMY_RING = block(*_BOARD, meaning="enemy single rings")
    ENEMY_DISC = block(*_BOARD, meaning="enemy single discs")
    ENEMY_PIP = block(*_BOARD, meaning="enemy pips")
    DICE = block(_DIE, 6, meaning="the roll of the turn, higher and lower die, used or not", one_hot=1)
    UNUSED = block(_DIE, meaning="the higher and the lower die are still to be used")
    DOUBLES = block(meaning="they are equal")
    MOVED_SQUARE = block(*_BOARD, meaning="where the first die move of this turn ended", one_hot=2)
    MOVED_KIND = block(3, meaning="ring, disc, pip: what it carried", one_hot=1)
    MOVED_DIRECTION = block(
        DIRECTION, meaning="forward, backward, left, right in the viewer's own view", one_hot=1
    )
    MY_TURN = block(meaning="it is the viewer's turn, rolling included")
    PHASE = block(5, meaning=", ".join(Phase.names()), one_hot=1)
    HOME = block(2, meaning="pips in their finish zone, own and enemy", high=PIECES)
    FINISH_DEPTH = block(3, meaning="1, 2, 3", one_hot=1)
    COMBINED_STRAIGHT = block(2, meaning="both, landed", one_hot=1)
    SCORING = block(2, meaning="win, odds", one_hot=1)
    CLOCK = block(meaning="percent of `max_decisions` gone, rounded down", high=100)


def observe(s: State, seat: int, out: ByteArray) -> None:
    """The position in the own view of `seat`, in the blocks of `Obs`."""
    for half in range(2):
        own_ring, own_disc = int(s.ring[seat, half]), int(s.disc[seat, half])
        enemy_ring, enemy_disc = int(s.enemy_ring[seat, half]), int(s.enemy_disc[seat, half])
        show_units(own_ring, own_disc, out, Obs.OWN_RING + half * NEAR_SQUARES)
        show_units(enemy_ring, enemy_disc, out, Obs.ENEMY_RING + half * NEAR_SQUARES)
    phase = Phase.OVER if s.mover == OVER else s.phase
    if Phase.MOVE <= phase <= Phase.PLACE:
        show_roll(s, seat, out)
    if Phase.ROLL <= phase <= Phase.PLACE and s.turn_seat == seat:
        out[Obs.MY_TURN] = 1
    out[Obs.PHASE + phase] = 1
    out[Obs.HOME] = pips_home(s, seat)
    out[Obs.HOME + 1] = pips_home(s, 1 - seat)
    out[Obs.FINISH_DEPTH + s.options.finish_depth - 1] = 1
    out[Obs.COMBINED_STRAIGHT + s.options.combined_straight] = 1
    out[Obs.SCORING + s.options.scoring] = 1
    out[Obs.CLOCK] = 100 * s.decisions // s.options.max_decisions


def show_units(ring: int, disc: int, out: ByteArray, at: int) -> None:
    """One colour's units in one half of the board: ones in the planes of rings, discs and pips."""
    units = ring | disc
    while units:
        square = lowest(units)
        on_disc = disc >> square & 1
        plane = on_disc + (on_disc & ring >> square)  # 0 to 2
        out[at + SQUARES * plane + square] = 1
        units &= units - 1


def show_roll(s: State, seat: int, out: ByteArray) -> None:
    """The dice of the turn, and its first die move."""
    for die in range(2):
        out[Obs.DICE + 6 * die + int(s.dice[die]) - 1] = 1
        out[Obs.UNUSED + die] = 1 - s.used[die]
    out[Obs.DOUBLES] = s.dice[0] == s.dice[1]
    if s.first_kind == Kind.NONE:
        return
    own = s.turn_seat == seat
    out[Obs.MOVED_SQUARE + (s.first_to if own else LAST_SQUARE - s.first_to)] = 1
    out[Obs.MOVED_KIND + s.first_kind - 1] = 1
    out[Obs.MOVED_DIRECTION + (s.first_direction if own else s.first_direction ^ 1)] = 1
