"""Sets of squares as bitboards, and tables for them.

Square number = 7 * row + column. A set is a pair of *halves*, so that a die move of all units at
once is a shift:

      far half    rows 9 .. 10   squares 63 .. 76   bits 0 .. 13
      near half   rows 0 .. 8    squares  0 .. 62   bits 0 .. 62
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from polytrix.core.constants import Constants
from polytrix.core.state import IntArray

ROWS, COLUMNS = 11, 7
LAST_ROW, LAST_COLUMN = ROWS - 1, COLUMNS - 1
SQUARES = ROWS * COLUMNS
LAST_SQUARE = SQUARES - 1
NEAR_SQUARES = 9 * COLUMNS
ALL_COLUMNS = (1 << COLUMNS) - 1


class Half(Constants):
    """The two integers of a set."""

    NEAR, FAR = range(2)


def row_of(halves: IntArray, row: int) -> int:
    """The squares of a set that lie in one row, as bits of the columns."""
    if row < NEAR_SQUARES // COLUMNS:
        return int(halves[Half.NEAR]) >> (row * COLUMNS) & ALL_COLUMNS
    return int(halves[Half.FAR]) >> (row * COLUMNS - NEAR_SQUARES) & ALL_COLUMNS


def has(halves: IntArray, square: int) -> bool:
    """Whether a set contains a square."""
    if square < NEAR_SQUARES:
        return (int(halves[Half.NEAR]) >> square & 1) == 1
    return (int(halves[Half.FAR]) >> (square - NEAR_SQUARES) & 1) == 1


def flip(halves: IntArray, square: int) -> None:
    """Put a square into a set, or take it out."""
    if square < NEAR_SQUARES:
        halves[Half.NEAR] ^= 1 << square
    else:
        halves[Half.FAR] ^= 1 << (square - NEAR_SQUARES)


def plane(halves: IntArray) -> npt.NDArray[np.int8]:
    """A set as ones among zeros, (77,)."""
    bits = int(halves[Half.NEAR]) | int(halves[Half.FAR]) << NEAR_SQUARES
    return np.array([bits >> square & 1 for square in range(SQUARES)], np.int8)


# -- tables -------------------------------------------------------------------------------


def _halves(squares: set[int]) -> tuple[int, int]:
    """A set of square numbers as its near and far half."""
    near = sum(1 << square for square in squares if square < NEAR_SQUARES)
    far = sum(1 << (square - NEAR_SQUARES) for square in squares if square >= NEAR_SQUARES)
    return near, far


def _cross(square: int, distance: int) -> set[int]:
    """A square, and those a step of `distance` away from it in the four directions."""
    row, column = divmod(square, COLUMNS)
    arms = {
        (row + distance, column),
        (row - distance, column),
        (row, column + distance),
        (row, column - distance),
    }
    return {square} | {COLUMNS * r + c for r, c in arms if 0 <= r < ROWS and 0 <= c < COLUMNS}


def _columns(low: int, high: int) -> int:
    """Near half of all squares in the columns low..high-1."""
    return _halves({q for q in range(NEAR_SQUARES) if low <= q % COLUMNS < high})[Half.NEAR]


BOARD: IntArray = np.array(_halves(set(range(SQUARES))), np.int64)
"""[half]: all squares."""

FINISH: IntArray = np.array(
    [_halves({q for q in range(SQUARES) if LAST_ROW - depth <= q // COLUMNS < LAST_ROW}) for depth in range(4)],
    np.int64,
)
"""[finish depth, half]: the squares of the own finish zone (QX-03)."""

BIT: IntArray = np.array([_halves({q}) for q in range(SQUARES)], np.int64)
"""[square, half]: the set of that square alone."""

CROSS: IntArray = np.array([[_halves(_cross(q, d)) for q in range(SQUARES)] for d in range(7)], np.int64)
"""[distance, square, half]: the square, and all from which a step of `distance` leads to it."""

LEFT_PART: IntArray = np.array([_columns(0, COLUMNS - d) for d in range(7)], np.int64)
"""[distance]: near squares from which a step to the right stays on the board."""
RIGHT_PART: IntArray = np.array([_columns(d, COLUMNS) for d in range(7)], np.int64)
"""[distance]: the same for a step to the left."""

_ROW, _COLUMN = np.divmod(np.arange(SQUARES), COLUMNS)
DISTANCE: IntArray = np.abs(_ROW[:, None] - _ROW) + np.abs(_COLUMN[:, None] - _COLUMN)
"""[square, square]: rows plus columns between them."""
