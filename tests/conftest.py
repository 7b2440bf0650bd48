"""What tests of all parts share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from polytrix import all_games
from polytrix.core import catalogue
from polytrix.core.game import Game


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[[Game], Game]:
    """Makes a game known for the length of one test."""

    def add(game: Game) -> Game:
        monkeypatch.setitem(catalogue._GAMES, game.id, game)
        return game

    return add


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give all tests of a game to one worker, so that not each of them compiles its programs."""
    if config.pluginmanager.hasplugin("xdist"):
        names = [game.name for game in all_games()]
        for item in items:
            part = next((name for name in names if name in item.nodeid), item.nodeid.split("::")[0])
            item.add_marker(pytest.mark.xdist_group(part))
