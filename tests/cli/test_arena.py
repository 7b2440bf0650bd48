"""`polytrix arena` and its script."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from polytrix.core.game import Game
from tests.cli.running import refused, run
from tests.high import HIGH
from tests.toys import SECRET


@pytest.fixture(autouse=True)
def _known(register: Callable[[Game], Game]) -> None:
    register(SECRET)
    register(HIGH)


def test_tables_results_and_picture(tmp_path: Path) -> None:
    file = tmp_path / "arena.json"
    command = ("arena", "secret", "random", "greedy", "search:10", "--deals", 30, "--seed", 4, "--json", file)
    shown = run(*command).stdout
    result = json.loads(file.read_text())
    assert [set(agent) >= {"name", "rating", "low", "high"} for agent in result["agents"]] == [True] * 3
    ratings = [agent["rating"] for agent in result["agents"]]
    assert ratings == sorted(ratings, reverse=True)
    assert (tmp_path / "arena.png").read_bytes().startswith(b"\x89PNG")
    for word in ("search:10", "180 games", "fair share 50%", "seats"):
        assert word in shown
    before = file.read_bytes()
    assert run(*command).stdout == shown, "from the games that were kept"
    assert file.read_bytes() == before


def test_a_table_and_options(tmp_path: Path) -> None:
    command = ("arena", "high", "first=random", "--table", "random", "-o", "players=3", "--deals", 10)
    assert "3 players, 30 games" in run(*command).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random",), "at least two agents"),
        (("random", "search:none"), "simulations is 'none'"),
        (("random", "greedy", "--anchor", "shy"), "the anchor is 'shy'"),
        (("random", "greedy", "--json", "nowhere/arena.json"), "does not exist"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str) -> None:
    assert message in refused("arena", "secret", *arguments)
