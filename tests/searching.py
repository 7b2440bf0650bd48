"""In which games `make test` compiles searches. The others would take a minute, and search in the same way."""

from __future__ import annotations

from typing import Any

import pytest

from polytrix.core.game import Game

COMPILED = ("secret", "quatrix", "resistor", "pressure_matrix")
"""A toy, and games without secrets, with hidden cards, and with more seats that answer at the same time."""


def searched(game: Game, *more: Any) -> Any:
    """A parameter of a test that searches in a game, slow in most games."""
    marks = () if game.name in COMPILED else pytest.mark.slow
    return pytest.param(game, *more, marks=marks, id="-".join(map(str, (game.name, *more))))
