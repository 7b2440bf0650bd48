"""A language model at the table: it is told the rules, each decision, and what was wrong with an answer.

    python examples/text_agent.py resistor --seed 7
    python examples/text_agent.py quatrix --show

Here a scripted stand-in answers, and nothing goes over a network. To seat a real model, give `play` a function
that sends the messages to it and returns what it says:

    def ask(messages):
        completion = client.chat.completions.create(model=..., messages=messages)
        return completion.choices[0].message.content
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence

import numpy as np

import polytrix
from polytrix.core.terminal import printable
from polytrix.llm import MODEL, Episode, Message

Ask = Callable[[Sequence[Message]], str]
"""A chat model: messages in, answer out."""


def play(game: str, ask: Ask, *, opponent: str = "greedy", seed: int = 0) -> Episode:
    """A whole game of the model in seat 0 against an agent in all others.

    Args:
        game: name or id.
        ask: the model.
        opponent: the agent, such as "greedy" or "search:200".
        seed: of the game.
    """
    found = polytrix.find(game)
    others = found.num_players(found.options.defaults) - 1
    episode = Episode(found, [MODEL, *[opponent] * others], seed=seed)
    while not episode.over:
        episode.answer(ask(episode.messages()))  # a wrong answer is told in the next messages
    return episode


class ScriptedModel:
    """Answers like a model: it reads the prompt, gives a reason, and now and then makes a mistake.

    It knows nothing but the text, and chooses at random among the moves listed there.
    """

    def __init__(self, seed: int = 0, mistakes: float = 0.1) -> None:
        self.rng = np.random.default_rng(seed)
        self.mistakes = mistakes

    def __call__(self, messages: Sequence[Message]) -> str:
        if "was refused" not in messages[-1]["content"] and self.rng.random() < self.mistakes:
            return "I would rather pass the salt."
        question = next(m["content"] for m in reversed(messages) if "\nLegal moves:" in m["content"])
        listed = re.findall(r"^ *\d+  (\S.*?)  +\S", question.split("\nLegal moves:")[-1], re.MULTILINE)
        move = listed[self.rng.integers(len(listed))]
        return f"There are {len(listed)} moves. I like this one.\nMOVE: {move}"


def main(given: list[str] | None = None) -> Episode:
    """Play one game with the stand-in and say how it went."""
    parser = argparse.ArgumentParser(description="A scripted model plays a game by reading text.")
    parser.add_argument("game", nargs="?", default="resistor", help="name of a game")
    parser.add_argument("--opponent", default="greedy")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print questions and answers")
    arguments = parser.parse_args(given)
    model = ScriptedModel(arguments.seed)

    def ask(messages: Sequence[Message]) -> str:
        answer = model(messages)
        if arguments.show:
            print(f"{'=' * 100}\n{messages[-1]['content']}\n{'-' * 100}\n{printable(answer)}")
        return answer

    episode = play(arguments.game, ask, opponent=arguments.opponent, seed=arguments.seed)
    decisions, refused = len(episode.answered), sum(len(each.errors) for each in episode.answered)
    print(f"payoff {episode.rewards[0]:+g} after {decisions} decisions; {refused} answers were refused")
    return episode


if __name__ == "__main__":
    main()
