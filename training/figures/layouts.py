"""The blocks of a game's actions and observations, for its page."""

from __future__ import annotations

from pathlib import Path

from polytrix.core.game import Game
from polytrix.core.layout import Layout
from polytrix.training.figures.markdown import table


def actions(root: Path, game: Game) -> str:
    """The blocks of actions, which have no range."""
    return blocks(game.actions, ranges=False)


def observation(root: Path, game: Game) -> str:
    """The blocks of an observation."""
    return blocks(game.observations, ranges=True)


def blocks(layout: Layout, *, ranges: bool) -> str:
    """The blocks of a layout, in a table."""
    head = ["offset", "block", "shape", "size", *["range"] * ranges, "meaning"]
    rows = [
        [str(offset), f"`{name}`", shape, str(size), *[bounds] * ranges, meaning]
        for offset, name, shape, size, bounds, meaning in layout.table()
    ]
    return table(head, rows, left=len(head))
