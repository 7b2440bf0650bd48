"""What tests of all parts share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from polytrix.core import catalogue
from polytrix.core.game import Game


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[[Game], Game]:
    """Makes a game known for the length of one test."""

    def add(game: Game) -> Game:
        monkeypatch.setitem(catalogue._GAMES, game.id, game)
        return game

    return add
