"""Running things with a copy of the worked example, which is named to them and known to nothing else."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.commands import run, with_sources
from tests.pages import ROOT

Command = Callable[..., CompletedProcess[str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the example, without what earlier runs left there."""
    left = shutil.ignore_patterns("__pycache__", ".*")
    return Path(
        shutil.copytree(ROOT / "examples" / "connect_four", tmp_path / "mine" / "connect_four", ignore=left)
    )


@pytest.fixture
def python(folder: Path, tmp_path: Path) -> Command:
    """Runs a fresh interpreter to which the copy was named."""
    return partial(run, sys.executable, cwd=tmp_path, env=with_sources(POLYTRIX_GAMES=str(folder)))
