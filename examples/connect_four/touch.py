"""What a player touches to make a move."""

from __future__ import annotations

from .notation import NAMES
from .state import State


def column_place(column: int) -> str:
    """A column of the board."""
    return f"column-{NAMES[column]}"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The column into which the stone falls."""
    return (column_place(action),)
