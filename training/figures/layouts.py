"""The blocks of a game's actions and observations, for its page."""

from __future__ import annotations

from pathlib import Path

from polytrix.core.game import Game
from polytrix.training.figures.markdown import table


def actions(root: Path, game: Game) -> str:
    """The blocks of actions."""
    head = ["offset", "block", "shape", "size", "meaning"]
    rows = [
        [str(offset), f"`{name}`", shape, str(size), meaning]
        for offset, name, shape, size, _, meaning in game.actions.table()
    ]
    return table(head, rows, left=len(head))


def observation(root: Path, game: Game) -> str:
    """The blocks of an observation."""
    head = ["offset", "block", "shape", "size", "range", "meaning"]
    rows = [
        [str(offset), f"`{name}`", shape, str(size), *rest]
        for offset, name, shape, size, *rest in game.observations.table()
    ]
    return table(head, rows, left=len(head))
