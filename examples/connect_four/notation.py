"""Actions as text and back: a move is written as the number of its column, `1` to `7`."""

from __future__ import annotations

from polytrix.core.notation import action_named, ids_of

from .rules import legal
from .state import ACTIONS, COLUMNS, State

NAMES = [str(column + 1) for column in range(COLUMNS)]


def format_action(s: State, action: int) -> str:
    """The column's number.

    Raises:
        IndexError: there is no action of this number.
    """
    _, (column,) = ACTIONS.locate(action)
    return NAMES[column]


def parse_action(s: State, text: str) -> int:
    """The action that `text` names.

    Raises:
        NotationError: `text` names no column, or one that is full.
    """
    free = {NAMES[column]: column for column in ids_of(legal, s, COLUMNS)}
    return action_named(text, free, NAMES, "the number of a column, 1 to 7")


def format_chance(s: State, outcome: int) -> str:
    """The game has no chance events; never called."""
    return ""
