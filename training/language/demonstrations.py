"""What an agent plays, as chats and answers: examples for a language model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from polytrix.core.words import moves
from polytrix.llm import Episode, Message
from polytrix.llm.setup import Setup
from polytrix.play.opponents import agent


class Demonstration(NamedTuple):
    """A question of a game, and the teacher's answer."""

    chat: list[Message]
    answer: str


def demonstrations(setup: Setup, teacher: str, variety: float, seed: int) -> Iterator[Demonstration]:
    """The decisions of all seats in one game.

    Args:
        setup: of games with a model in every seat.
        teacher: the agent that answers.
        variety: probability that a random legal move is played instead of the teacher's, so that there are
            positions that the teacher would not reach. The answer is the teacher's all the same.
        seed: of the game.
    """
    episode, policy, rng = setup.episode(seed), agent(teacher, setup.game), np.random.default_rng(seed)
    while not episode.over:
        session = episode.session
        answer = answer_with(episode, session.choose(policy))
        yield Demonstration(episode.messages(), answer)
        if rng.random() < variety:
            answer = answer_with(episode, int(rng.choice(session.legal())))
        episode.answer(answer)


def answer_with(episode: Episode, action: int) -> str:
    """The answer that names an action."""
    (move,) = moves(episode.game, episode.session.state, [action])
    return f"MOVE: {move.notation}"
