"""The squares of the Matrix and the nodes on them, as numbers and as sets.

     0  1  2  3  4     a1 b1 c1 d1 e1     a square is 5 * row + column of a fixed frame;
     5  6  7  8  9     a2 b2 c2 d2 e2     smaller matrices lie in its corner at a1.
    10 11 12 13 14     ...
    15 16 17 18 19
    20 21 22 23 24     a node is 4 * square + place; places are nw 0, ne 1, sw 2, se 3

A set of squares is an integer with a bit for each of them. A set of nodes is two integers, its halves:
nodes 0..51 and 52..99. The four nodes of a tile are in one half.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import size
from polytrix.core.state import IntArray

FRAME = 5
SQUARES = FRAME * FRAME
PLACES = 4  # nodes of a tile
NODES = PLACES * SQUARES
FIRST_SQUARES = 13  # their nodes are in the first half
FIRST_NODES = PLACES * FIRST_SQUARES
TILE = (1 << PLACES) - 1  # the four nodes of a tile, as the lowest bits

_SIDE = (0, 0, 3, 4, 4, 5)  # by the number of players (PM-01); of two players, a tile file may set it


def square_set(side: int) -> int:
    """The squares of a Matrix."""
    return sum(1 << (FRAME * row + column) for row in range(side) for column in range(side))


def corners(side: int) -> tuple[int, ...]:
    """Its corners nw, ne, sw, se."""
    last = max(side, 1) - 1
    return (0, last, FRAME * last, (FRAME + 1) * last)


MATRIX: IntArray = np.array([square_set(side) for side in _SIDE], np.int64)
"""[players]: the squares of the Matrix."""

_CENTRE = (-1, -1, -1, -1, -1, SQUARES // 2)  # by the number of players
STARTS: IntArray = np.array([(*corners(side), _CENTRE[n]) for n, side in enumerate(_SIDE)], np.int64)
"""[players, place]: starting squares nw, ne, sw, se, and with five players the centre, else -1 (PM-09)."""

STEP: IntArray = np.array([-FRAME, -1, 1, FRAME], np.int64)
"""[direction]: north, west, east, south; the opposite of d is 3 - d."""


def _neighbour(square: int, direction: int) -> int:
    row, column = divmod(square, FRAME)
    row += (-1, 0, 0, 1)[direction]
    column += (0, -1, 1, 0)[direction]
    return FRAME * row + column if 0 <= row < FRAME and 0 <= column < FRAME else -1


NEIGHBOUR: IntArray = np.array([[_neighbour(q, d) for d in range(4)] for q in range(SQUARES)], np.int64)
"""[square, direction]: the adjacent square (PM-18); -1 beyond the frame."""

ADJACENT: IntArray = np.array([sum(1 << q for q in row if q >= 0) for row in NEIGHBOUR.tolist()], np.int64)
"""[square]: all adjacent squares."""

NOT_WEST = square_set(FRAME) & ~sum(1 << (FRAME * row) for row in range(FRAME))
NOT_EAST = NOT_WEST >> 1
COLOUR: IntArray = np.array([sum(1 << q for q in range(SQUARES) if q % 2 == c) for c in range(2)], np.int64)
"""[square % 2]: the squares of one colour of a chequered frame; each step changes the colour."""

HALF: IntArray = np.array([q // FIRST_SQUARES for q in range(SQUARES)], np.int64)
"""[square]: the half that has the nodes of its tile."""

SHIFT: IntArray = np.array([PLACES * (q % FIRST_SQUARES) for q in range(SQUARES)], np.int64)
"""[square]: their first bit in that half."""


def spread(squares: int) -> int:
    """All squares adjacent to one of `squares`."""
    return (squares & NOT_EAST) << 1 | (squares & NOT_WEST) >> 1 | squares << FRAME | squares >> FRAME


def side_of_matrix(players: int) -> int:
    """The squares on a side of the Matrix."""
    return size(int(MATRIX[players]) & (1 << FRAME) - 1)


def square_name(square: int) -> str:
    """Letter of the column, number of the row.

    >>> square_name(0), square_name(7)
    ('a1', 'c2')
    """
    row, column = divmod(square, FRAME)
    return "abcde"[column] + str(row + 1)


PLACE_NAMES = ("nw", "ne", "sw", "se")
CORNERS = ("upper left", "upper right", "lower left", "lower right")  # in words


def node_name(node: int) -> str:
    """Square and place.

    >>> node_name(29)
    'c2.ne'
    """
    square, place = divmod(node, PLACES)
    return f"{square_name(square)}.{PLACE_NAMES[place]}"
