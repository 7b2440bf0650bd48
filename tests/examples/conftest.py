"""Running things with a copy of the worked example, which is named to them and known to nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

Command = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the example, without what earlier runs left there."""
    left = shutil.ignore_patterns("__pycache__", ".*")
    return Path(
        shutil.copytree(ROOT / "examples" / "connect_four", tmp_path / "mine" / "connect_four", ignore=left)
    )


@pytest.fixture
def python(folder: Path, tmp_path: Path) -> Command:
    """Runs a fresh interpreter to which the copy was named, and gives its standard output."""
    environment = {**os.environ, "POLYTRIX_GAMES": str(folder), "PYTHONPATH": str(ROOT / "envs")}

    def run(*arguments: object, typed: str | None = None, cwd: Path = tmp_path) -> str:
        command = [sys.executable, *map(str, arguments)]
        done = subprocess.run(
            command, input=typed, capture_output=True, text=True, check=False, cwd=cwd, env=environment
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
