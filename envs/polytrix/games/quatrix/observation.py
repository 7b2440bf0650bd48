"""What a seat sees: everything, in its own view."""

from __future__ import annotations

from polytrix.core.bits import lowest
from polytrix.core.constants import Constants
from polytrix.core.layout import Axis, Block, Layout
from polytrix.core.state import OVER, ByteArray

from .bitboard import COLUMNS, LAST_SQUARE, NEAR_SQUARES, ROWS, SQUARES
from .ending import pips_home
from .state import PIECES, Kind, Phase, State

_BOARD = Axis("row", ROWS), Axis("column", COLUMNS)
OBSERVATIONS = Layout(
    Block("own_ring", _BOARD, "own single rings"),
    Block("own_disc", _BOARD, "own single discs"),
    Block("own_pip", _BOARD, "own pips"),
    Block("enemy_ring", _BOARD, "enemy single rings"),
    Block("enemy_disc", _BOARD, "enemy single discs"),
    Block("enemy_pip", _BOARD, "enemy pips"),
    Block("dice", (Axis("die", 2), 6), "the roll, higher and lower die, used or not", one_hot=1),
    Block("unused", (Axis("die", 2),), "higher / lower die still to be used"),
    Block("doubles", (1,), "both dice are equal"),
    Block("moved_square", _BOARD, "where the first die move of this turn ended", one_hot=2),
    Block("moved_kind", (3,), "ring, disc, pip: what it carried", one_hot=1),
    Block("moved_direction", (4,), "forward, backward, left, right in the viewer's own view", one_hot=1),
    Block("my_turn", (1,), "it is the viewer's turn, rolling included"),
    Block("phase", (5,), ", ".join(Phase.names()), one_hot=1),
    Block("home", (2,), "pips in the finish zone, own and enemy", high=PIECES),
    Block("finish_depth", (3,), "1, 2, 3", one_hot=1),
    Block("combined_straight", (2,), "both, landed", one_hot=1),
    Block("scoring", (2,), "win, odds", one_hot=1),
    Block("clock", (1,), "percent of max_decisions that is used up", high=100),
)


class Obs(Constants):
    """Where the blocks of observations begin."""

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
    """The position in the own view of `seat`, in the blocks of `OBSERVATIONS`."""
    for half in range(2):
        own_ring, own_disc = int(s.ring[seat, half]), int(s.disc[seat, half])
        enemy_ring, enemy_disc = int(s.enemy_ring[seat, half]), int(s.enemy_disc[seat, half])
        show_units(own_ring, own_disc, out, Obs.OWN_RING + half * NEAR_SQUARES)
        show_units(enemy_ring, enemy_disc, out, Obs.ENEMY_RING + half * NEAR_SQUARES)
    phase = Phase.OVER if s.mover == OVER else int(s.phase)
    if Phase.MOVE <= phase <= Phase.PLACE:
        show_roll(s, seat, out)
    if Phase.ROLL <= phase <= Phase.PLACE and s.turn_seat == seat:
        out[Obs.MY_TURN] = 1
    out[Obs.PHASE + phase] = 1
    out[Obs.HOME] = pips_home(s, seat)
    out[Obs.HOME + 1] = pips_home(s, 1 - seat)
    out[Obs.FINISH_DEPTH + int(s.options.finish_depth) - 1] = 1
    out[Obs.COMBINED_STRAIGHT + int(s.options.combined_straight)] = 1
    out[Obs.SCORING + int(s.options.scoring)] = 1
    out[Obs.CLOCK] = 100 * int(s.decisions) // int(s.options.max_decisions)


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
    square = int(s.first_to)
    out[Obs.MOVED_SQUARE + (square if own else LAST_SQUARE - square)] = 1
    out[Obs.MOVED_KIND + int(s.first_kind) - 1] = 1
    direction = int(s.first_direction)
    out[Obs.MOVED_DIRECTION + (direction if own else direction ^ 1)] = 1
