"""The options of Quatrix, the record of a game, and the layout of its actions.

Each colour's pieces are kept in that colour's *own view*: own row 0 is the own start track, row 10
the enemy's, and columns run from own left to own right. Turning the board by 180 degrees leads from
one view to the other, and square q to 76 - q.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from polytrix.core.constants import Constants
from polytrix.core.layout import Axis, Layout, Symmetry, block
from polytrix.core.options import MOST_DECISIONS, Choice, Options
from polytrix.core.state import Array, Record, Seen, field

from .bitboard import ALL_COLUMNS, COLUMNS, LAST_ROW, LAST_SQUARE, NEAR_SQUARES, ROWS, SQUARES, flip, plane

PIECES = 7  # rings, and discs, of a colour


class Seat(Constants):
    """The players."""

    RED, BLUE = range(2)
    NOBODY = -1


class Kind(Constants):
    """What a unit is, and what a die move carries."""

    NONE, RING, DISC, PIP = range(4)


class Phase(Constants):
    """What the game waits for."""

    OPENING, ROLL, MOVE, PLACE, OVER = range(5)


class Direction(Constants):
    """Of a die move, in the mover's own view. The opposite of d is d ^ 1."""

    FORWARD, BACKWARD, LEFT, RIGHT = range(4)


STEP = np.array([COLUMNS, -COLUMNS, -1, 1], np.int64)
"""[direction]: to the next square, in square numbers."""


class CombinedStraight(Constants):
    """Values of the option `combined_straight`."""

    BOTH, LANDED = range(2)


class Scoring(Constants):
    """Values of the option `scoring`."""

    WIN, ODDS = range(2)


OPTIONS = Options(
    Choice("finish_depth", (1, 2, 3), 2, "rows between a finish line and the enemy start track"),
    Choice(
        "combined_straight",
        ("both", "landed"),
        "both",
        "one unit going straight ahead with both dice: both squares must be open, or only the one landed on",
    ),
    Choice("scoring", ("win", "odds"), "win", "win: a win pays 1; odds: a third of the odds (1, 2 or 3)"),
)

SOURCES = LAST_ROW * COLUMNS  # a unit of the mover never stands on own row 10 (QX-12)
_ALL_NEAR, _ALL_FAR = (1 << NEAR_SQUARES) - 1, (1 << SQUARES - NEAR_SQUARES) - 1
_OWN = (_ALL_NEAR, ALL_COLUMNS)  # the far half holds own row 9 only, for the same reason
_ENEMY = (_ALL_NEAR, _ALL_FAR)


class State(Record):
    """The record of a game. Arrays are indexed by seat, die (0 the higher) and half."""

    turns: int = field(np.int32, 0, MOST_DECISIONS + 1, seen=Seen.IN_PART)  # begun, the current one included
    # [seat, half]: squares in the seat's own view. A square with a ring and a disc holds a pip (QX-05).
    ring: Array = field(np.int64, 0, _OWN, shape=(2, 2))
    disc: Array = field(np.int64, 0, _OWN, shape=(2, 2))
    # [seat, half]: the other seat's pieces, also in the seat's own view, so that no rule turns the board.
    enemy_ring: Array = field(np.int64, 0, _ENEMY, shape=(2, 2))
    enemy_disc: Array = field(np.int64, 0, _ENEMY, shape=(2, 2))
    phase: int = field(np.int8, Phase.OPENING, Phase.OVER)  # a truncated game keeps its last one
    turn_seat: int = field(np.int8, Seat.NOBODY, Seat.BLUE, seen=Seen.IN_PART)  # nobody before the first turn
    # How the game was opened has no effect on what follows, and is not shown.
    opening: Array = field(np.uint8, 0, 6, shape=(2, 2), seen=Seen.IN_PART)  # [seat, die]: 0 until rolled
    # The dice of a turn and its first die move are shown until the turn or the game is over.
    dice: Array = field(np.uint8, 0, 6, shape=2, seen=Seen.IN_PART)  # 0 until rolled; then the higher first
    used: Array = field(np.uint8, 0, 1, shape=2, seen=Seen.IN_PART)  # [die]: 1 once a die move has used it
    first_kind: int = field(np.int8, Kind.NONE, Kind.PIP, seen=Seen.IN_PART)  # what the first die move carried
    first_from: int = field(np.int8, 0, SOURCES - 1, seen=Seen.IN_PART)  # its squares and direction, in the
    first_to: int = field(np.int8, 0, SOURCES - 1, seen=Seen.IN_PART)  # mover's own view
    first_direction: int = field(np.int8, Direction.FORWARD, Direction.RIGHT, seen=Seen.IN_PART)
    winner: int = field(np.int8, Seat.NOBODY, Seat.BLUE)


COLUMN, DIRECTION = Axis("column", COLUMNS), Axis("direction", len(Direction))
_SOURCE = Axis("source", SOURCES)


class Act(Layout):
    """The actions."""

    MOVE = block(
        2,
        _SOURCE,
        DIRECTION,
        meaning="die (0 the higher, 1 the lower), square, direction: the single piece there, or the ring of "
        "the pip",
    )
    PIP = block(_SOURCE, DIRECTION, meaning="square, direction: the whole pip, on doubles, with the unused die")
    PLACE = block(COLUMN, meaning="own column: put the popped ring there, on the enemy start track")
    PASS = block(meaning="forfeit the roll: nothing can be moved")


ACTIONS = Act()
MAX_LEGAL = 2 * 2 * PIECES * 4  # two dice, fourteen pieces, four directions

# QX-10: left and right are alike. So are the colours, but observations and actions show them so already.
_MIRROR = {
    "column": range(COLUMNS)[::-1],
    "source": np.arange(SOURCES).reshape(-1, COLUMNS)[:, ::-1].ravel().tolist(),
    "direction": (Direction.FORWARD, Direction.BACKWARD, Direction.RIGHT, Direction.LEFT),
}
SYMMETRIES: tuple[Symmetry, ...] = ({}, _MIRROR)


def toggle_ring(s: State, seat: int, square: int) -> None:
    """Put a ring of `seat` on a square of its own view, or take it away."""
    flip(s.ring[seat], square)
    flip(s.enemy_ring[1 - seat], LAST_SQUARE - square)


def toggle_disc(s: State, seat: int, square: int) -> None:
    """Put a disc of `seat` on a square of its own view, or take it away."""
    flip(s.disc[seat], square)
    flip(s.enemy_disc[1 - seat], LAST_SQUARE - square)


def clear_board(s: State) -> None:
    """Take all pieces from the board."""
    s.ring[:] = 0
    s.disc[:] = 0
    s.enemy_ring[:] = 0
    s.enemy_disc[:] = 0


def board(s: State) -> npt.NDArray[np.int8]:
    """The units in board coordinates, (11, 7): 0 empty, else 3 * seat + kind. For people and tests."""
    red = plane(s.ring[Seat.RED]) + 2 * plane(s.disc[Seat.RED])
    blue = plane(s.enemy_ring[Seat.RED]) + 2 * plane(s.enemy_disc[Seat.RED])
    units: npt.NDArray[np.int8] = red + np.where(blue, blue + 3, blue)
    return units.reshape(ROWS, COLUMNS)
