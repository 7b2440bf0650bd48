"""A language model at the table: it reads text, answers in notation, and is told what was wrong with an answer.

    python examples/text_agent.py resistor --seed 7
    python examples/text_agent.py quatrix --show

Here a scripted stand-in answers, and nothing goes over a network. To seat a real model, write a function
`ask(prompt: str) -> str` that sends the prompt to it and returns what it says, and give it to `play`:

    def ask(prompt):
        return client.complete(prompt)     # whatever your provider's client is called

    play("resistor", ask, seed=7)
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass

import gymnasium as gym
import numpy as np

import polytrix
from polytrix.api import words
from polytrix.core.errors import NotationError

Ask = Callable[[str], str]
"""A model: the prompt in, its answer out."""

PATIENCE = 3
"""After this many wrong answers to one question the agent plays the first legal move."""

TASK = (
    "You play a game against a strong opponent. Below stand what you see and your legal moves, one a line: "
    "number, notation, meaning. Choose the best one. Think as long as you like; the last line of your answer "
    "must be the move in notation or its number, and nothing else."
)


@dataclass
class Report:
    """How a game went."""

    payoff: float
    decisions: int
    corrected: int  # answers that were no legal move
    given_up: int  # questions that were answered wrongly `PATIENCE` times


def prompt_for(env: gym.Env, rules: str, mistake: str) -> str:
    """All that the model gets: the task, the rules, the position, its moves, and its mistake if it made one.

    The rules come first and never change, so that a provider's cache of prompts can serve them.
    """
    parts = [
        TASK,
        rules,
        words.text_of(env),
        "Legal moves:\n" + words.listed(words.legal_moves(env)),
        f"Your last answer was refused: {mistake}. Answer again." if mistake else "",
    ]
    return "\n\n".join(part for part in parts if part)


def decide(env: gym.Env, ask: Ask, rules: str, report: Report) -> int:
    """Ask until the answer is a legal move; what was wrong is part of the next question."""
    mistake = ""
    for _ in range(PATIENCE):
        answer = ask(prompt_for(env, rules, mistake))
        lines = answer.strip().splitlines() or [""]
        try:
            return words.parse(env, lines[-1])
        except NotationError as error:
            mistake = str(error)
            report.corrected += 1
    report.given_up += 1
    return words.legal_moves(env)[0].id


def play(game: str, ask: Ask, *, opponent: str = "greedy", seed: int = 0, with_rules: bool = True) -> Report:
    """A whole game of the model against a built-in opponent.

    Args:
        game: name or id.
        ask: the model.
        opponent: as for `gymnasium.make`.
        seed: of the game.
        with_rules: put the rules of the game, some thousand words, before every question.
    """
    found = polytrix.find(game)
    env = gym.make(found.id, opponent=opponent, seat="random")
    env.reset(seed=seed)
    rules = words.rules_of(found) if with_rules else ""
    report = Report(0.0, 0, 0, 0)
    over = False
    while not over:
        action = decide(env, ask, rules, report)
        _, payoff, terminated, truncated, _ = env.step(np.int64(action))
        report.payoff += float(payoff)
        report.decisions += 1
        over = terminated or truncated
    return report


# -- a stand-in -----------------------------------------------------------------------------------


class ScriptedModel:
    """Answers like a model: it reads the prompt, gives a reason, and now and then makes a mistake.

    It knows nothing but the text, and chooses at random among the moves listed there.
    """

    def __init__(self, seed: int = 0, mistakes: float = 0.1) -> None:
        self.rng = np.random.default_rng(seed)
        self.mistakes = mistakes

    def __call__(self, prompt: str) -> str:
        listed = re.findall(r"^ *(\d+)  (.*?)  +\S", prompt.split("Legal moves:\n")[-1], re.MULTILINE)
        number, notation = listed[self.rng.integers(len(listed))]
        if "Your last answer was refused" not in prompt and self.rng.random() < self.mistakes:
            return "I would rather pass the salt."
        answer = number if self.rng.random() < 0.5 else f"`{notation}`"
        return f"There are {len(listed)} moves. I like this one.\n{answer}"


def main(given: list[str] | None = None) -> Report:
    """Play one game with the stand-in and say how it went."""
    parser = argparse.ArgumentParser(description="A scripted model plays a game by reading text.")
    parser.add_argument("game", nargs="?", default="resistor", help="name of a game")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print prompts and answers, leave out the rules")
    arguments = parser.parse_args(given)
    model = ScriptedModel(arguments.seed)

    def ask(prompt: str) -> str:
        answer = model(prompt)
        if arguments.show:
            print(f"{'=' * 100}\n{prompt}\n{'-' * 100}\n{answer}")
        return answer

    report = play(
        arguments.game, ask, opponent=arguments.opponent, seed=arguments.seed, with_rules=not arguments.show
    )
    print(
        f"payoff {report.payoff:+g} after {report.decisions} decisions; "
        f"{report.corrected} answers were refused, {report.given_up} questions given up"
    )
    return report


if __name__ == "__main__":
    main()
