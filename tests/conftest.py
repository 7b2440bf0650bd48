"""What tests of all parts share."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from polytrix import all_games
from polytrix.core import catalogue
from polytrix.core.game import Game
from tests.compile_once import compile_once as compile_once

os.environ.setdefault("OMP_NUM_THREADS", "1")
"""For PyTorch, here and in processes that tests start: its threads would spend most of their time waiting."""


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[[Game], Game]:
    """Makes a game known for the length of one test."""

    def add(game: Game) -> Game:
        monkeypatch.setitem(catalogue._GAMES, game.id, game)
        return game

    return add


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """All tests of a game go to one worker, so that its programs are compiled once; others by their files."""
    from xdist.scheduler import LoadScopeScheduling

    names = [game.name for game in all_games()]

    class ByGame(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((name for name in names if name in nodeid), nodeid.partition("::")[0])

    return ByGame(config, log)
