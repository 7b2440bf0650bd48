"""The positions of a game as drawings, which take time to make and are remembered for a while."""

from __future__ import annotations

from polytrix.core.game import Drawing
from polytrix.core.viewers import Viewer

from .session import Session

REMEMBERED = 3
"""Drawings for each viewer: the present one, the one before, and the one since the viewer's own move."""


class Drawings:
    """The positions of a game as viewers see them.

    Args:
        session: the game.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._drawn: dict[Viewer, dict[int, Drawing]] = {}

    def at(self, number: int, viewer: Viewer) -> Drawing:
        """The position before decision `number`, from 0 on, or the present one if there was none yet."""
        drawn = self._drawn.setdefault(viewer, {})
        drawing = drawn.pop(number, None) or self._session.game.draw(self._session.position(number), viewer)
        drawn[number] = drawing  # the newest is the last
        for forgotten in list(drawn)[:-REMEMBERED]:
            del drawn[forgotten]
        return drawing

    def forget(self, first: int) -> None:
        """Decisions from number `first` on have been taken back."""
        for viewer, drawn in self._drawn.items():
            self._drawn[viewer] = {number: drawing for number, drawing in drawn.items() if number <= first}
