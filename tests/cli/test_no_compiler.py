"""A game in the terminal needs no compiler, unless an agent searches."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

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


def environment(cache: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(ROOT / "envs"), "POLYTRIX_CACHE": str(cache), "PATH": ""}


def run_alone(*arguments: str, typed: str = "", cache: Path) -> str:
    """What a command prints in a new interpreter without Numba."""
    done = run(sys.executable, "-c", SCRIPT, *arguments, cwd=ROOT, env=environment(cache), typed=typed)
    assert "Traceback" not in done.stderr
    return done.stdout


def test_play_and_watch_do_not_compile(tmp_path: Path) -> None:
    game, network = "pixel_tactics", "checkpoints/pixel_tactics-v0"
    for opponent in ("greedy", network):
        shown = run_alone(
            "play", game, "--opponent", opponent, "--seed", "4", "-o", "max_decisions=12",
            typed="1\nhint\n1\n??\nundo\n1\n", cache=tmp_path,
        )  # fmt: skip
        assert "greedy would play" in shown or "greedy likes all" in shown
    shown = run_alone(
        "watch", game, "greedy", network, "--delay", "0", "--seed", "4", "-o", "max_decisions=8",
        cache=tmp_path,
    )  # fmt: skip
    assert "payoffs: " in shown
    assert not list(tmp_path.iterdir())


def test_a_search_compiles_when_it_is_first_needed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="numba"):
        run_alone("watch", "quatrix", "random", "search:2", "--delay", "0", "--seed", "4", cache=tmp_path)


def test_the_first_page_of_a_table_needs_no_compiler(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-c", SCRIPT, "table", "quatrix", "--no-open", "--port", "0"]
    env = environment(tmp_path / "cache") | {"POLYTRIX_DATA": str(tmp_path / "data")}
    with subprocess.Popen(command, env=env, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        page = urlopen(address.partition("#")[0]).read()
        server.terminate()
    assert address.endswith("&game=quatrix") and b"Choose a game" in page
