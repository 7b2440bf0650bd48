"""The record of a Quatrix game, its options, and the layouts of actions and observations.

Each colour's pieces are kept in that colour's *own view*: own row 0 is the own start
track, row 10 the enemy's, and columns run from own left to own right. Square number =
7 * own row + own column. Turning the board by 180 degrees leads from one view to the
other, and square q to 76 - q.

A set of squares is a pair of words, so that a die move of all units at once is a shift:

      far word    own rows  9 .. 10   squares 63 .. 76   bits 0 .. 13
      near word   own rows  0 .. 8    squares  0 .. 62   bits 0 .. 62
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from polytrix.core.layout import Block, Layout
from polytrix.core.options import MOST_DECISIONS, Choice, Options
from polytrix.core.state import Array, IntArray, Record, Seen, field, fields_of, state_dtype

ROWS, COLUMNS = 11, 7
LAST_ROW, LAST_COLUMN = ROWS - 1, COLUMNS - 1
PIECES = 7  # rings, and discs, of a colour
SQUARES = ROWS * COLUMNS
LAST_SQUARE = SQUARES - 1
NEAR, FAR = 0, 1  # the two words of a set
NEAR_SQUARES = 9 * COLUMNS
ALL_COLUMNS = (1 << COLUMNS) - 1

RED, BLUE = 0, 1
NO_SEAT = -1

# What a unit is, and how it moves.
NO_KIND, RING, DISC, PIP = 0, 1, 2, 3

OPENING, ROLL, MOVE, PLACE, FINISHED = 0, 1, 2, 3, 4
PHASES = ("OPENING", "ROLL", "MOVE", "PLACE", "OVER")

FORWARD, BACKWARD, LEFT, RIGHT = 0, 1, 2, 3  # the opposite of d is d ^ 1
ROW_STEP = np.array([1, -1, 0, 0], np.int64)
COLUMN_STEP = np.array([0, 0, -1, 1], np.int64)
STEP = COLUMNS * ROW_STEP + COLUMN_STEP  # in square numbers

BOTH, LANDED = 0, 1  # values of the option combined_straight
WIN, ODDS = 0, 1  # values of the option scoring

OPTIONS = Options(
    Choice("finish_depth", (1, 2, 3), 2, "rows between a finish line and the enemy start track"),
    Choice(
        "combined_straight",
        ("both", "landed"),
        "both",
        "one unit going straight on with both dice: must both squares be open, or only the landed one",
    ),
    Choice("scoring", ("win", "odds"), "win", "the winner gets 1, or a third of the odds 1, 2, 3"),
)

SOURCES = LAST_ROW * COLUMNS  # a unit of the mover never stands on own row 10 (QX-12)
_ALL_NEAR, _ALL_FAR = (1 << NEAR_SQUARES) - 1, (1 << SQUARES - NEAR_SQUARES) - 1
_OWN = (_ALL_NEAR, ALL_COLUMNS)  # the far word holds own row 9 only, for the same reason
_ENEMY = (_ALL_NEAR, _ALL_FAR)


class State(Record):
    """What a game is in."""

    turns: int = field(np.int32, 0, MOST_DECISIONS + 1, seen=Seen.IN_PART)  # begun so far
    ring: Array = field(
        np.int64, 0, _OWN, shape=(2, 2)
    )  # [seat, word]: squares with a ring of the seat, in its own view
    disc: Array = field(
        np.int64, 0, _OWN, shape=(2, 2)
    )  # the same for discs; a square in both sets holds a pip (QX-05)
    enemy_ring: Array = field(
        np.int64, 0, _ENEMY, shape=(2, 2)
    )  # [viewer, word]: the other seat's rings once more, in
    enemy_disc: Array = field(
        np.int64, 0, _ENEMY, shape=(2, 2)
    )  # the viewer's own view, so that no rule turns the board
    phase: int = field(np.int8, OPENING, FINISHED)  # of a truncated game: its last one
    turn_seat: int = field(np.int8, NO_SEAT, BLUE, seen=Seen.IN_PART)  # whose turn it is; -1 before the first
    # How the game was opened has no effect on what follows, and is not shown.
    starter: int = field(np.int8, NO_SEAT, BLUE, seen=Seen.IN_PART)  # who began; -1 before the first turn
    opening: Array = field(np.uint8, 0, 6, shape=(2, 2), seen=Seen.IN_PART)  # [seat, die]: 1..6, 0 not rolled
    opening_rolled: int = field(np.uint8, 0, 4, seen=Seen.IN_PART)  # how many of the four
    # The dice of a turn, and its first die move, are shown until it is over or the game is.
    dice: Array = field(
        np.uint8, 0, 6, shape=2, seen=Seen.IN_PART
    )  # the higher first once both are rolled; 0 not rolled
    rolled: int = field(np.uint8, 0, 2, seen=Seen.IN_PART)  # how many of the two
    used: Array = field(np.uint8, 0, 1, shape=2, seen=Seen.IN_PART)  # [die]: 1 once it is moved with
    first_kind: int = field(
        np.int8, NO_KIND, PIP, seen=Seen.IN_PART
    )  # what that die move carried; 0 = none yet
    first_from: int = field(np.int8, 0, SOURCES - 1, seen=Seen.IN_PART)  # its squares and direction, in the
    first_to: int = field(np.int8, 0, SOURCES - 1, seen=Seen.IN_PART)  # mover's own view
    first_direction: int = field(np.int8, FORWARD, RIGHT, seen=Seen.IN_PART)
    winner: int = field(np.int8, NO_SEAT, BLUE)  # seat, or -1
    odds: int = field(np.uint8, 0, 3)  # 1..3 once won (QX-83..85), else 0


FIELDS = fields_of(State)
STATE = state_dtype(OPTIONS, FIELDS)

ACTIONS = Layout(
    Block("move", (2, SOURCES, 4), "die, square, direction: the single piece there, or the ring of the pip"),
    Block("pip", (SOURCES, 4), "square, direction: the pip as a unit, on doubles"),
    Block("place", (COLUMNS,), "own column: return the popped ring to the enemy start track"),
    Block("pass", (1,), "forfeit the roll"),
)
PIP_OFFSET = ACTIONS.offset("pip")
PLACE_OFFSET = ACTIONS.offset("place")
PASS = ACTIONS.offset("pass")
SQUARE = np.array([action // 4 % SOURCES for action in range(PLACE_OFFSET)], np.int64)
"""The square that a `move` or `pip` action starts from."""
MAX_LEGAL = 2 * 2 * PIECES * 4  # two dice, fourteen pieces, four directions

_BOARD = (ROWS, COLUMNS)
OBSERVATIONS = Layout(
    Block("own_ring", _BOARD, "own single rings"),
    Block("own_disc", _BOARD, "own single discs"),
    Block("own_pip", _BOARD, "own pips"),
    Block("enemy_ring", _BOARD, "enemy single rings"),
    Block("enemy_disc", _BOARD, "enemy single discs"),
    Block("enemy_pip", _BOARD, "enemy pips"),
    Block("dice", (2, 6), "one-hot of the roll, higher and lower die, used or not"),
    Block("unused", (2,), "higher / lower die still to be used"),
    Block("doubles", (1,), "both dice are equal"),
    Block("moved_square", _BOARD, "where the first die move of this turn ended"),
    Block("moved_kind", (3,), "one-hot ring, disc, pip: what it carried"),
    Block("moved_direction", (4,), "one-hot forward, backward, left, right in the viewer's own view"),
    Block("my_turn", (1,), "it is the viewer's turn, rolling included"),
    Block("phase", (5,), "one-hot " + ", ".join(PHASES)),
    Block("home", (2,), "pips in the finish zone, own and enemy", high=PIECES),
    Block("finish_depth", (3,), "one-hot 1, 2, 3"),
    Block("combined_straight", (2,), "one-hot both, landed"),
    Block("scoring", (2,), "one-hot win, odds"),
    Block("clock", (1,), "percent of max_decisions that is used up", high=100),
)

_ROW_SETS = range(1 << COLUMNS)
COUNT = np.array([bits.bit_count() for bits in _ROW_SETS], np.int64)
"""How many squares a row's set has."""


def row_of(words: IntArray, row: int) -> int:
    """The squares of a set that lie in one row, as bits of the columns."""
    if row < NEAR_SQUARES // COLUMNS:
        return int(words[NEAR]) >> (row * COLUMNS) & ALL_COLUMNS
    return int(words[FAR]) >> (row * COLUMNS - NEAR_SQUARES) & ALL_COLUMNS


def has(words: IntArray, square: int) -> bool:
    """Whether a set contains a square."""
    if square < NEAR_SQUARES:
        return (int(words[NEAR]) >> square & 1) == 1
    return (int(words[FAR]) >> (square - NEAR_SQUARES) & 1) == 1


def flip(words: IntArray, square: int) -> None:
    """Put a square into a set, or take it out."""
    if square < NEAR_SQUARES:
        words[NEAR] ^= 1 << square
    else:
        words[FAR] ^= 1 << (square - NEAR_SQUARES)


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


def pips_home(s: State, seat: int) -> int:
    """Pips of a colour in its finish zone (QX-03)."""
    count = 0
    for row in range(LAST_ROW - int(s.options.finish_depth), LAST_ROW):
        count += COUNT[row_of(s.ring[seat], row) & row_of(s.disc[seat], row)]
    return count


def board(s: State) -> npt.NDArray[np.int8]:
    """The units in board coordinates, (11, 7): 0 empty, else 3 * seat + kind. For people and tests."""
    red = plane(s.ring[RED]) + 2 * plane(s.disc[RED])
    blue = plane(s.enemy_ring[RED]) + 2 * plane(s.enemy_disc[RED])
    units: npt.NDArray[np.int8] = red + np.where(blue, blue + 3, blue)
    return units.reshape(ROWS, COLUMNS)


def plane(words: IntArray) -> npt.NDArray[np.int8]:
    """A set as ones among zeros, (77,)."""
    bits = int(words[NEAR]) | int(words[FAR]) << NEAR_SQUARES
    return np.array([bits >> square & 1 for square in range(SQUARES)], np.int8)


def set_board(s: State, units: npt.NDArray[np.int8]) -> None:
    """Replace all units by those of `units`, coded as `board` does."""
    clear_board(s)
    for square, unit in enumerate(units.flat):
        if unit:
            seat, kind = divmod(int(unit) - 1, 3)
            own = square if seat == RED else LAST_SQUARE - square
            if kind + 1 != DISC:
                toggle_ring(s, seat, own)
            if kind + 1 != RING:
                toggle_disc(s, seat, own)
