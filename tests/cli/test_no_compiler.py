"""A game in the terminal needs no compiler, unless an agent searches."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.commands import run
from tests.pages import ROOT

SCRIPT = """
import sys

sys.modules["numba"] = None  # importing it fails
sys.modules["llvmlite"] = None
from polytrix.cli import main

sys.argv = ["polytrix", *sys.argv[1:]]
main()
"""


def run_alone(*arguments: str, typed: str = "", cache: Path) -> str:
    """What a command prints in a new interpreter without Numba."""
    env = {"PYTHONPATH": str(ROOT / "envs"), "POLYTRIX_CACHE": str(cache), "PATH": ""}
    done = run(sys.executable, "-c", SCRIPT, *arguments, cwd=ROOT, env=env, typed=typed)
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize("game", ["quatrix", "pixel_tactics"])
def test_play_and_watch_do_not_compile(game: str, tmp_path: Path) -> None:
    network = f"checkpoints/{game}-v0"
    for opponent in ("greedy", network):
        typed = "1\nhint\n1\n??\nundo\n1\n"
        shown = run_alone(
            "play",
            game,
            "--opponent",
            opponent,
            "--seed",
            "4",
            "-o",
            "max_decisions=12",
            typed=typed,
            cache=tmp_path,
        )
        assert "greedy would play" in shown or "greedy likes all" in shown
    shown = run_alone(
        "watch", game, "--agents", f"greedy,{network}", "--delay", "0", "--seed", "4", "-o", "max_decisions=8",
        cache=tmp_path,
    )  # fmt: skip
    assert "payoffs: " in shown
    assert not list(tmp_path.iterdir())


def test_a_search_compiles_when_it_is_first_needed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="numba"):
        run_alone(
            "watch", "quatrix", "--agents", "random,search:2", "--delay", "0", "--seed", "4", cache=tmp_path
        )
