"""The poker games pass their own tests and the shared tests of pages, in a process that knows them."""

from __future__ import annotations

import sys

from tests.commands import run, with_sources
from tests.pages import ROOT


def passes(*arguments: str) -> str:
    """The output of pytest in a process that the games are named to."""
    pytest = ("-m", "pytest", "-p", "no:cacheprovider", "-q", "-o", "addopts=")
    env = with_sources(POLYTRIX_GAMES="examples/poker")
    return run(sys.executable, *pytest, *arguments, cwd=ROOT, env=env).stdout


def test_rules_and_every_check() -> None:
    assert " passed" in passes("examples/poker")


def test_the_pages_agree_with_the_games() -> None:
    assert "10 passed" in passes("tests/shared/test_pages.py", "-k", "poker")
