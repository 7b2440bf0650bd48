"""The poker games pass their own tests and the shared tests of pages, in a process that knows them."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.examples.conftest import ROOT


def passes(*arguments: str) -> str:
    """The output of pytest in a process that the games are named to."""
    environment = {**os.environ, "POLYTRIX_GAMES": "examples/poker", "PYTHONPATH": str(ROOT / "envs")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-o", "addopts=", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_rules_and_every_check() -> None:
    assert " passed" in passes("examples/poker")


def test_the_pages_agree_with_the_games() -> None:
    assert "10 passed" in passes("tests/shared/test_pages.py", "-k", "poker")
