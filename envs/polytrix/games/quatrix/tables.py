"""Tables for sets of squares: computed once, from the plain meaning of each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .state import COLUMNS, NEAR, NEAR_SQUARES, ROWS, SQUARES


def _words(squares: set[int]) -> tuple[int, int]:
    """A set of square numbers as its near and far word."""
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
    """Near word of all squares in the columns low..high-1."""
    return _words({q for q in range(NEAR_SQUARES) if low <= q % COLUMNS < high})[NEAR]


Words = npt.NDArray[np.int64]

BOARD: Words = np.array(_words(set(range(SQUARES))), np.int64)
"""[word]: all squares."""
NEAR_BOARD = int(BOARD[NEAR])

BIT: Words = np.array([_words({q}) for q in range(SQUARES)], np.int64)
"""[square, word]: the set of that square alone."""

CROSS: Words = np.array([[_words(_cross(q, d)) for q in range(SQUARES)] for d in range(7)], np.int64)
"""[distance, square, word]: the square, and all from which a step of `distance` leads to it."""

LEFT_PART: Words = np.array([_columns(0, COLUMNS - d) for d in range(7)], np.int64)
"""[distance]: near squares from which a step to the right stays on the board."""
RIGHT_PART: Words = np.array([_columns(d, COLUMNS) for d in range(7)], np.int64)
"""[distance]: the same for a step to the left."""

_ROW, _COLUMN = np.divmod(np.arange(SQUARES), COLUMNS)
DISTANCE: Words = np.abs(_ROW[:, None] - _ROW) + np.abs(_COLUMN[:, None] - _COLUMN)
"""[square, square]: rows plus columns between them."""

BIT_MODULUS = 67
"""2 is a primitive root of 67, so the powers 2**0 .. 2**65 have different remainders."""
BIT_INDEX: Words = np.zeros(BIT_MODULUS, np.int64)
"""[2**i % 67]: i, the place of a single bit."""
for _i in range(63):
    BIT_INDEX[(1 << _i) % BIT_MODULUS] = _i
