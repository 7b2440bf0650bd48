"""The rules of Connect Four: setup, legal actions, moves."""

from __future__ import annotations

from polytrix.core.state import OVER, IdArray

from .ending import has_four
from .state import BOARD, COLUMN, COLUMNS, NO_SEAT, RED, TOP, State


def setup(s: State) -> None:
    """CF-01: the board is empty, and red begins."""
    s.stones[:] = 0
    s.winner = NO_SEAT
    s.mover = RED


def chance(s: State) -> int:
    """The game has no chance events; never called."""
    return 1


def legal(s: State, ids: IdArray) -> int:
    """CF-02: every column that is not full."""
    top_row = (s.stones[0] | s.stones[1]) >> TOP
    count = 0
    for column in range(COLUMNS):
        if top_row >> column & 1 == 0:
            ids[count] = column
            count += 1
    return count


def apply(s: State, action: int) -> None:
    """CF-03: the stone falls on the lowest free square. CF-04, CF-05: a line or a full board ends the game."""
    seat = int(s.mover)
    own, enemy = s.stones[seat], s.stones[1 - seat]
    own |= landing(own | enemy, action)
    s.stones[seat] = own
    if has_four(own):
        s.winner = seat
        s.mover = OVER
    elif own | enemy == BOARD:
        s.mover = OVER
    else:
        s.mover = 1 - seat


def landing(stones: int, column: int) -> int:
    """CF-03: the lowest free square of a column, as a set; empty if the column is full."""
    free = (COLUMN << column) & ~stones
    return free & -free
