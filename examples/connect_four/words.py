"""Connect Four in words: moves and the position as text.

A move is written as the number of its column, `1` to `7`.
"""

from __future__ import annotations

from polytrix.core.state import OVER

from .state import COLUMNS, NO_SEAT, RED, ROWS, YELLOW, Act, State, Step

NAMES = [str(column + 1) for column in range(COLUMNS)]
COLOURS = ("red", "yellow")


def format_action(s: State, action: int) -> str:
    """The column's number.

    Raises:
        IndexError: there is no action of this number.
    """
    _, (column,) = Act().locate(action)
    return NAMES[column]


def text(s: State, seat: int | None) -> str:
    """The board, red stones as `r`, yellow ones as `y`; the same for both seats."""
    rows = [
        " ".join(".ry"[colour_at(s, row, column) + 1] for column in range(COLUMNS))
        for row in reversed(range(ROWS))
    ]
    return "\n".join([*rows, " ".join(NAMES), status(s)])


def colour_at(s: State, row: int, column: int) -> int:
    """Whose stone is on a square: RED, YELLOW or NO_SEAT."""
    for seat in (RED, YELLOW):
        if s.stones[seat] >> (Step.UP * row + column) & 1:
            return seat
    return NO_SEAT


def status(s: State) -> str:
    """Whose turn it is, or the result."""
    if s.mover != OVER:
        return f"{COLOURS[s.mover]} to move"
    if s.winner != NO_SEAT:
        return f"{COLOURS[s.winner]} wins"
    return "truncated" if s.truncated else "draw"
