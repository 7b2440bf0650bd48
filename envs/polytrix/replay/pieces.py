"""Boards and texts of a game as lists of pieces, each stored once: positions differ little from each other."""

from __future__ import annotations

from dataclasses import replace

from polytrix.core.game import Drawing
from polytrix.drawing import Picture

END = "</g></svg>"


class Pieces:
    """Texts, each with a number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a text."""
        return self._numbers.setdefault(text, len(self._numbers))

    def all(self) -> list[str]:
        """The texts by number."""
        return list(self._numbers)


class Sequences:
    """Sequences of pieces, each with a number.

    Args:
        pieces: numbers the pieces.
    """

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._numbers: dict[tuple[int, ...], int] = {}

    def number(self, *texts: str) -> int:
        """The number of a sequence."""
        key = tuple(map(self._pieces.number, texts))
        return self._numbers.setdefault(key, len(self._numbers))

    def all(self) -> list[list[int]]:
        """The sequences by number, each with the numbers of its pieces."""
        return [list(key) for key in self._numbers]


def parts(drawing: Drawing) -> list[str]:
    """The SVG of a drawing in parts: what stands before the shapes, the shapes, and the end.

    >>> from polytrix.drawing import Picture, circle
    >>> picture = Picture(9, 9, (circle(1, 1, 1), circle(5, 5, 2)))
    >>> len(parts(picture)), "".join(parts(picture)) == picture.svg()
    (4, True)
    """
    if not isinstance(drawing, Picture):
        return [drawing.svg()]
    bare = replace(drawing, shapes=()).svg()
    return [bare.removesuffix(END), *drawing.shapes, END]
