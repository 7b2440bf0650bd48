"""What a seat cannot know, sampled anew: nothing in this game."""

from __future__ import annotations

from .state import State


def redeal(s: State, seat: int) -> None:
    """Both seats see the whole state, so nothing changes."""
