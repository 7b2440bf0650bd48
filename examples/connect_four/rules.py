"""The rules of Connect Four: setup, legal actions, moves, payoffs, observations."""

from __future__ import annotations

from polytrix.core.state import OVER, ByteArray, FloatArray, IdArray

from .state import BIT, BOARD, COLUMN, COLUMNS, NO_SEAT, RED, SQUARES, TOP, Obs, State, Step


def setup(s: State) -> None:
    """CF-01: the board is empty, and red begins."""
    s.stones[:] = 0
    s.winner = NO_SEAT
    s.mover = RED


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
    seat = s.mover
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


def has_four(stones: int) -> bool:
    """CF-04: four in a row upright, level, or along either diagonal."""
    return (
        line(stones, Step.UP)
        or line(stones, Step.RIGHT)
        or line(stones, Step.UP_LEFT)
        or line(stones, Step.UP_RIGHT)
    )


def line(stones: int, step: int) -> bool:
    """Whether four stones stand in a row, each one `step` from the one before."""
    pairs = stones & stones >> step
    return (pairs & pairs >> 2 * step) != 0


def payoff(s: State, out: FloatArray) -> None:
    """CF-06: the winner gets 1, the loser -1; a draw or a truncated game pays 0 to both."""
    if s.winner != NO_SEAT:
        out[s.winner] = 1
        out[1 - s.winner] = -1


def observe(s: State, seat: int, out: ByteArray) -> None:
    """The whole board, the stones of `seat` first."""
    own, enemy = s.stones[seat], s.stones[1 - seat]
    for square in range(SQUARES):
        out[Obs.OWN + square] = own >> BIT[square] & 1
        out[Obs.ENEMY + square] = enemy >> BIT[square] & 1
