"""Actions as text and back, and the position for a terminal. A move is the number of its column, `1` to `7`."""

from __future__ import annotations

from polytrix.core.notation import action_named, ids_of
from polytrix.core.state import OVER

from .rules import legal
from .state import ACTIONS, COLUMNS, NO_SEAT, RED, ROWS, YELLOW, State, Step

NAMES = [str(column + 1) for column in range(COLUMNS)]
COLOURS = ("red", "yellow")


def format_action(s: State, action: int) -> str:
    """The column's number.

    Raises:
        IndexError: the number is no action.
    """
    _, (column,) = ACTIONS.locate(action)
    return NAMES[column]


def parse_action(s: State, text: str) -> int:
    """The column that `text` names.

    Raises:
        NotationError: the text is no column, or the column is full.
    """
    free = {NAMES[column]: column for column in ids_of(legal, s, COLUMNS)}
    return action_named(text, free, NAMES, "the number of a column, 1 to 7")


def format_chance(s: State, outcome: int) -> str:
    """Nothing is left to chance; never called."""
    return ""


def text(s: State, seat: int | None) -> str:
    """The board, red stones as `r`, yellow ones as `y`; all see the same."""
    rows = [
        " ".join(".ry"[colour_at(s, row, column) + 1] for column in range(COLUMNS))
        for row in reversed(range(ROWS))
    ]
    return "\n".join([*rows, " ".join(NAMES), status(s)])


def colour_at(s: State, row: int, column: int) -> int:
    """RED, YELLOW or NO_SEAT: whose stone is on a square."""
    for seat in (RED, YELLOW):
        if int(s.stones[seat]) >> (Step.UP * row + column) & 1:
            return seat
    return NO_SEAT


def status(s: State) -> str:
    """Whose turn it is, or the result."""
    if s.mover != OVER:
        return f"{COLOURS[s.mover]} to move"
    if s.winner != NO_SEAT:
        return f"{COLOURS[s.winner]} wins"
    return "truncated" if s.truncated else "draw"
