"""What is renamed when the game is played in disguise."""

from __future__ import annotations

from polytrix.core.vocabulary import Vocabulary


def vocabulary() -> Vocabulary:
    """The colours and stones, and their letters on the board. Columns are numbers, and stay."""
    return Vocabulary(
        words=("red", "yellow", "stone stones"),
        letters={"stone": "ry"},
        codes=("(?:[<stone>.] )+[<stone>.]",),
        initials={"r": "red", "y": "yellow"},
        plain=("four",),
    )
