"""Commands at tables of two to four players."""

from __future__ import annotations

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
