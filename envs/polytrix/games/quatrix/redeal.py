"""What a seat cannot know: nothing. Dice are drawn only when they are rolled."""

from __future__ import annotations

from .state import State


def redeal(s: State, seat: int) -> None:
    """Do nothing, as nothing is hidden."""
