"""What a player touches to make a move: a word for a hint, a colour for a ban or a die."""

from __future__ import annotations

from .notation import hint_name
from .state import ACTIONS, COLOURS, State


def colour_place(colour: int) -> str:
    """A colour below the table."""
    return f"colour-{COLOURS[colour]}"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The word, or the colour that is banned or set."""
    block, (number,) = ACTIONS.locate(action)
    if block.size == 1:  # to roll, to wait
        return ()
    return (hint_name(s, number) if block.name == "hint" else colour_place(number),)
