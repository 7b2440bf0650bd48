"""The record of a Connect Four game, its options, and the layouts of actions and observations.

The stones of a seat are a set of squares, kept as the bits of one integer, eight bits to a row:

    row 5   40 41 42 43 44 45 46 | 47
    row 4   32 33 34 35 36 37 38 | 39
    row 3   24 25 26 27 28 29 30 | 31
    row 2   16 17 18 19 20 21 22 | 23
    row 1    8  9 10 11 12 13 14 | 15
    row 0    0  1  2  3  4  5  6 |  7     the last bit of a row is no square, and always 0:
                                          no line runs round the edge
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Layout, block
from polytrix.core.options import Options
from polytrix.core.state import Array, Record, field

ROWS, COLUMNS = 6, 7
SQUARES = ROWS * COLUMNS

RED, YELLOW = 0, 1
NO_SEAT = -1


class Step(Constants):
    """From a square to its neighbour, in bits."""

    RIGHT, UP_LEFT, UP, UP_RIGHT = 1, 7, 8, 9


COLUMN = sum(1 << Step.UP * row for row in range(ROWS))
"""The squares of column 0."""
TOP = Step.UP * (ROWS - 1)
"""The first square of the top row."""
BOARD = sum(COLUMN << column for column in range(COLUMNS))
"""All squares."""
BIT = np.array([Step.UP * row + column for row in range(ROWS) for column in range(COLUMNS)], np.int64)
"""The bit of each square, row by row from the lowest."""

OPTIONS = Options(max_decisions=SQUARES)


class State(Record):
    """The state of one game."""

    stones: Array = field(np.int64, 0, BOARD, shape=2)  # [seat]: the squares that hold its stones
    winner: int = field(np.int8, NO_SEAT, YELLOW)  # seat, or -1


MAX_LEGAL = COLUMNS


class Act(Layout):
    """The actions."""

    COLUMN = block(COLUMNS, meaning="drop a stone into this column, counted from the left")


class Obs(Layout):
    """What a seat observes."""

    OWN = block(ROWS, COLUMNS, meaning="own stones; row 0 is the lowest")
    ENEMY = block(ROWS, COLUMNS, meaning="enemy stones")
