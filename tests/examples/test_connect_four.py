"""The worked example is one folder: copied anywhere, it is seen by everything, with nothing else changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "connect_four"

Command = Callable[..., str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the example, without what earlier runs left there."""
    left = shutil.ignore_patterns("__pycache__", ".*")
    return Path(shutil.copytree(EXAMPLE, tmp_path / "mine" / "connect_four", ignore=left))


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


FACES = """
import json, sys
import gymnasium, numpy as np, pettingzoo, polytrix
from polytrix.api.aec import AECGame

game = polytrix.find("connect_four")
assert "examples" not in sys.modules["connect_four"].__file__
one = gymnasium.make("polytrix/connect_four-v0", opponent="greedy")
seen, info = one.reset(seed=1)
many = gymnasium.make_vec("polytrix/connect_four-v0", num_envs=3)
aec = pettingzoo.make("aec", "polytrix/connect_four-v0") if hasattr(pettingzoo, "register") else AECGame(game)
aec.reset(seed=1)
for action in (0, 1, 0, 1, 0, 1, 0):
    aec.step(action)
print(json.dumps({
    "id": game.id,
    "one": [list(np.shape(seen)), info["action_mask"].tolist()],
    "many": list(np.shape(many.reset(seed=1)[0])),
    "rewards": aec.rewards,
}))
"""


def test_it_is_registered_with_all_faces(python: Command) -> None:
    found = json.loads(python("-c", FACES))
    assert found == {
        "id": "polytrix/connect_four-v0",
        "one": [[84], [1] * 7],
        "many": [3, 84],
        "rewards": {"player_0": 1, "player_1": -1},
    }


def test_a_process_that_imports_it_needs_nothing_else(folder: Path) -> None:
    code = "import connect_four, gymnasium; print(connect_four.GAME.id in gymnasium.registry)"
    environment = {name: value for name, value in os.environ.items() if name != "POLYTRIX_GAMES"}
    environment["PYTHONPATH"] = os.pathsep.join([str(folder.parent), str(ROOT / "envs")])
    command = [sys.executable, "-c", code]
    assert (
        subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout == "True\n"
    )


def test_the_command_line_sees_it(python: Command, tmp_path: Path) -> None:
    polytrix = ("-m", "polytrix.cli")
    assert "polytrix/connect_four-v0" in python(*polytrix, "list")
    described = python(*polytrix, "describe", "connect_four")
    assert "own stones; row 0 is the lowest" in described and "## Payoffs" in described
    moves = ("play", "connect_four", "--opponent", "random", "--seed", 5, "-o", "max_decisions=4")
    assert "payoffs: red +0, yellow +0 (cut off after 4 decisions)" in python(
        *polytrix, *moves, typed="1\n" * 4
    )
    assert "5,673,234" in python(*polytrix, "perft", "connect_four", "--depth", 8)


@pytest.mark.slow
def test_benchmark_and_arena_have_a_row_for_it(python: Command, tmp_path: Path) -> None:
    pytest.importorskip("choix")
    small = ("--num-envs", 64, "--seconds", 0.02, "--repeats", 1, "--json", "bench.json")
    python("-m", "polytrix.cli", "bench", "connect_four", *small)
    rates = json.loads((tmp_path / "bench.json").read_text())["games"]["polytrix/connect_four-v0"]["rates"]
    assert rates["batch"]["median"] > 0 and rates["aec"]["median"] > 0
    python(
        "-m", "polytrix.cli", "arena", "connect_four", "random", "greedy", "--deals", 20, "--json", "arena.json"
    )
    result: dict[str, Any] = json.loads((tmp_path / "arena.json").read_text())
    ratings = {agent["name"]: agent["rating"] for agent in result["agents"]}
    assert ratings["greedy"] > ratings["random"] + 200


@pytest.mark.slow
def test_it_passes_the_inherited_checks_and_its_own(python: Command, folder: Path) -> None:
    assert "passed" in python("-m", "pytest", "-q", "-p", "no:cacheprovider", folder)


@pytest.mark.slow
def test_a_campaign_reaches_every_feature(python: Command) -> None:
    summary = json.loads(python("-m", "polytrix.testing", "--game", "connect_four", "--games", 20_000))
    assert summary["failures"] == 0 and summary["games_terminated"] >= 10_000


def test_the_shared_tests_of_pages_take_it_in(python: Command) -> None:
    shared = ("tests/shared/test_pages.py", "-k", "connect_four", "-p", "no:cacheprovider")
    assert "4 passed" in python("-m", "pytest", *shared, "-o", "addopts=", cwd=ROOT)


@pytest.mark.slow
def test_it_is_trained_like_the_others(python: Command, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    short = ("--minutes", 0.05, "--final-games", 20, "--curve-games", 10, "--num-envs", 32, "--out", "run")
    python(ROOT / "training" / "fast_ppo.py", "connect_four", *short)
    assert json.loads((tmp_path / "run" / "result.json").read_text())["steps"] > 0
    arena = ("arena", "connect_four", "run", "random", "--deals", 10, "--json", "arena.json")
    python("-m", "polytrix.cli", *arena)
    assert {agent["name"] for agent in json.loads((tmp_path / "arena.json").read_text())["agents"]} >= {
        "random"
    }
