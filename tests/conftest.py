"""What tests of all parts share."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from polytrix import all_games
from polytrix.core import catalogue
from polytrix.core.compile.programs import forget_programs
from polytrix.core.game import Game
from tests.high import HIGH
from tests.stones import STONES
from tests.toys import SECRET

os.environ.setdefault("OMP_NUM_THREADS", "1")
"""For PyTorch, here and in processes that tests start: its threads would spend most of their time waiting."""

MEMORY = 12 * 2**30
"""Bytes that a test process may have, so that a loop that keeps what it makes fails, and not the machine."""


def pytest_configure() -> None:
    """Set the limit, and let Ctrl-C interrupt, here and in processes that tests start.

    A shell that starts tests in the background lets them ignore it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform == "linux":
        from resource import RLIMIT_DATA, getrlimit, setrlimit

        hard = getrlimit(RLIMIT_DATA)[1]
        setrlimit(RLIMIT_DATA, (MEMORY if hard < 0 else min(MEMORY, hard), hard))


def pytest_collection() -> None:
    """What is imported stays: do not look for garbage meanwhile, nor in it afterwards."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage in what tests make."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow tests, which CI does not run, more time than pyproject.toml does."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(1800))


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Callable[[Game], Game]:
    """Makes a game known for the length of one test."""

    def add(game: Game) -> Game:
        monkeypatch.setitem(catalogue._GAMES, game.id, game)
        return game

    return add


@pytest.fixture
def known_toys(register: Callable[[Game], Game]) -> None:
    """The toy games are known for the length of one test."""
    for game in (SECRET, HIGH, STONES):
        register(game)


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of compiled programs, with none in it."""
    monkeypatch.setenv("POLYTRIX_CACHE", str(tmp_path))
    return tmp_path


@pytest.fixture
def in_plain_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rules in plain Python, for tests in which the mode does not matter: nothing is compiled."""
    forget_programs()
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    yield
    forget_programs()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """All tests of a game go to one worker, so that its programs are compiled once; others by their files."""
    from xdist.scheduler import LoadScopeScheduling

    names = [game.name for game in all_games()]

    class ByGame(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((name for name in names if name in nodeid), nodeid.partition("::")[0])

    return ByGame(config, log)
