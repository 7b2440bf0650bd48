"""The agent that reads text plays whole games, and is told of its mistakes."""

from __future__ import annotations

import sys

import pytest

import polytrix
from tests.commands import run
from tests.pages import ROOT

EXAMPLES = ROOT / "examples"
sys.path.insert(0, str(EXAMPLES))

import text_agent  # noqa: E402


@pytest.mark.parametrize("game", [game.name for game in polytrix.all_games()])
def test_it_finds_its_way_in_every_game(game: str) -> None:
    episode = text_agent.play(game, text_agent.ScriptedModel(seed=3, mistakes=0.3), seed=5)
    assert episode.over and episode.forfeited is None
    assert any(each.errors for each in episode.answered) and not any(each.failed for each in episode.answered)


def test_the_command_plays_a_game_to_its_end() -> None:
    shown = run(sys.executable, EXAMPLES / "text_agent.py", "resistor", "--seed", 7, "--show").stdout
    assert "How to read this" in shown and "I would rather pass the salt." in shown
    assert "Your answer was refused: the last line is 'I would rather pass the salt.'" in shown
    assert shown.splitlines()[-1].startswith(("payoff +1 after", "payoff -1 after", "payoff +0 after"))
