"""Commands at tables of two to four players."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript
from tests.cli.running import refused, run
from tests.high import HIGH

THREE = ("-o", "players=3", "--seed", 4)


@pytest.fixture(autouse=True)
def _known(register: Callable[[Game], Game]) -> None:
    register(HIGH)


def test_a_person_among_three(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = "1\n" * 20
    shown = run("play", "high", *THREE, "--seat", 2, "--opponent", "random", "--save", file, typed=typed).stdout
    assert "You are south; north is random, east is random." in shown
    assert "south> " in shown and "west" not in shown
    assert re.search(r"payoffs: north \S+, east \S+, south \S+$", shown, re.MULTILINE)
    transcript = Transcript.from_text(file.read_text(), Mode.PLAIN)
    assert transcript.options["players"] == 3
    assert "south: +1" in run("replay", file).stdout


def test_seats_that_a_table_has_not() -> None:
    assert "seat is 3; this game of high has seats 0 to 2" in refused("play", "high", *THREE, "--seat", 3)
    assert "seat is 2; this game of high has seats 0 to 1" in refused("play", "high", "--seat", 2)
    assert "option 'players' is 5; allowed: one of 2, 3, 4" in refused("play", "high", "-o", "players=5")


def test_agents_are_repeated_around_the_table() -> None:
    watch = ("watch", "high", "--delay", 0, *THREE)
    assert "north is greedy, east is random, south is greedy\n" in run(*watch).stdout
    assert "north is random, east is random, south is random\n" in run(*watch, "--agents", "random").stdout
    four = "random,random,random,random"
    assert "4 agents are given; this game of high has 3 seats" in refused(*watch, "--agents", four)


def test_list_and_describe_say_how_many_can_play() -> None:
    assert "2 to 4" in run("list").stdout
    assert "2 or 3 or 4 players, seats: north, east, south, west" in run("describe", "high").stdout


def test_bench_of_a_table_of_four(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.bench.starting", lambda game, repeats, options: start(options))
    file = tmp_path / "receipt.json"
    small = ("--num-envs", 64, "--seconds", 0.02, "--repeats", 1, "--json", file)
    assert "polytrix/high-v0: players=4" in run("bench", "high", "-o", "players=4", *small).stdout
    measured = json.loads(file.read_text())["games"][HIGH.id]
    assert measured["options"] == {"players": 4, "turning": True, "max_decisions": 40}
    assert "options are of one game: name it" in refused("bench", "-o", "players=4")


def start(options: object) -> dict[str, dict[str, float]]:
    """Stands for times of new interpreters, which do not know the game."""
    return {name: {"median": 1.0, "min": 1.0, "max": 1.0} for name in ("import", "first_step")}
