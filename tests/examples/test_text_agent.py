"""The agent that reads text: it plays whole games, and is told of its mistakes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import polytrix

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.insert(0, str(EXAMPLES))

import text_agent  # noqa: E402


@pytest.mark.parametrize("game", [game.name for game in polytrix.all_games()])
def test_it_finds_its_way_in_every_game(game: str) -> None:
    env = text_agent.gym.make(polytrix.find(game).id, opponent="greedy", seat=0)
    env.reset(seed=5)
    report = text_agent.Report(0.0, 0, 0, 0)
    model = text_agent.ScriptedModel(seed=3, mistakes=0.3)
    for _ in range(12):
        _, _, terminated, truncated, _ = env.step(text_agent.decide(env, model, "", report))
        if terminated or truncated:
            break
    assert report.corrected > 0 and report.given_up == 0


def test_a_wrong_answer_is_told_and_asked_again() -> None:
    answers = iter(["the salt", "S9o1+", "  D\n"])
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return next(answers)

    env = text_agent.gym.make("polytrix/resistor-v0", opponent="greedy", seat=0)
    env.reset(seed=1)
    report = text_agent.Report(0.0, 0, 0, 0)
    assert text_agent.decide(env, ask, "THE RULES", report) == 7
    assert report.corrected == 2 and report.given_up == 0
    assert "refused" not in prompts[0] and "THE RULES" in prompts[0]
    assert "Your last answer was refused: 'the salt' is no action; write F3, D" in prompts[1]
    assert "Your last answer was refused: 'S9o1+' is no action" in prompts[2]


def test_a_model_that_never_learns_costs_no_more_than_its_patience() -> None:
    report = text_agent.Report(0.0, 0, 0, 0)
    env = text_agent.gym.make("polytrix/resistor-v0", opponent="greedy", seat=0)
    env.reset(seed=1)
    assert text_agent.decide(env, lambda prompt: "", "", report) == text_agent.words.legal_moves(env)[0].id
    assert (report.corrected, report.given_up) == (text_agent.PATIENCE, 1)


def test_the_command_plays_a_game_to_its_end() -> None:
    command = [sys.executable, str(EXAMPLES / "text_agent.py"), "resistor", "--seed", "7", "--show"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "How to read this" in shown and "I would rather pass the salt." in shown
    assert shown.splitlines()[-1].startswith(("payoff +1 after", "payoff -1 after", "payoff +0 after"))
