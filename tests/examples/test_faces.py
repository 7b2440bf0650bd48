"""The programs that the pages on Gymnasium and PettingZoo show."""

from __future__ import annotations

import sys

import pytest

import polytrix
from polytrix.agents import resolve
from tests.commands import run
from tests.pages import ROOT

EXAMPLES = ROOT / "examples"
sys.path.insert(0, str(EXAMPLES))

import gymnasium_quatrix  # noqa: E402
import pettingzoo_quatrix  # noqa: E402

QUATRIX = polytrix.find("quatrix")


def test_everyone_plays_one_game_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    greedy, random = resolve("greedy", QUATRIX), resolve("random", QUATRIX)
    payoffs = pettingzoo_quatrix.play({"player_0": random, "player_1": greedy}, seed=3, show=True)
    assert payoffs == {"player_0": -1.0, "player_1": 1.0}
    assert len(capsys.readouterr().out.splitlines()) > 40


def test_equals_win_half_of_their_games() -> None:
    share = gymnasium_quatrix.games_won(resolve("greedy", QUATRIX), "greedy", games=200, num_envs=100)
    assert 0.35 < share < 0.65


@pytest.mark.parametrize(
    ("name", "end"), [("gymnasium", "greedy wins 100% against random"), ("pettingzoo", "'player_1': -1.0}")]
)
def test_the_programs_run(name: str, end: str) -> None:
    assert run(sys.executable, EXAMPLES / f"{name}_quatrix.py").stdout.strip().endswith(end)
