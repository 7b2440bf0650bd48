"""What a player touches to make a move: a word for a hint, the own seat with its dice for a colour."""

from __future__ import annotations

from .notation import hint_name
from .state import ACTIONS, LETTERS, State


def seat_place(seat: int) -> str:
    """A seat with its dice."""
    return f"seat-{LETTERS[seat]}"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The word, or the seat whose die is set, bans a colour or is rolled."""
    block, (number,) = ACTIONS.locate(action)
    if block.name == "wait":
        return ()
    return (hint_name(s, number) if block.name == "hint" else seat_place(s.mover),)
