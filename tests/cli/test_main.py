"""The entry point, in new processes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from rich.console import Console

import polytrix
from polytrix.cli import app
from tests.cli.running import refused, run


@pytest.mark.parametrize("missing", ["typer", "rich", "prompt_toolkit"])
def test_without_the_extra_there_is_one_clear_line(missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from polytrix.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: the command line needs an optional extra: pip install 'polytrix[cli]'\n"
    assert done.stdout == ""


def test_as_a_module() -> None:
    command = [sys.executable, "-m", "polytrix.cli", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"polytrix {polytrix.__version__}\n"


def test_help_names_every_command() -> None:
    shown = run("--help").stdout
    for command in ("list", "describe", "play", "watch", "bench", "warmup", "perft", "replay", "table"):
        assert command in shown
        assert "Usage" in run(command, "--help").stdout


def test_an_unknown_command() -> None:
    assert "No such command 'juggle'" in refused("juggle")


def test_an_error_is_broken_between_words_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    message = refused("play", "resistr")
    monkeypatch.setattr(app, "err", Console(stderr=True, force_terminal=True, color_system=None, width=50))
    assert refused("play", "resistr") == message
    assert "polytrix/pixel_tactics-v0" in message
