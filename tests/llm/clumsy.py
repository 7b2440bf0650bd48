"""A scripted model whose answer depends on the question alone, often wrong."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from polytrix.llm import Message

from .scripted import HEADING, RandomModel, listed_moves


class ClumsyModel:
    """Plays a random listed move; some answers are no legal move, also when it is asked again.

    It has no memory: the same question gets the same answer, however much of the chat stands before it.

    Args:
        wrong: the share of answers that are no legal move.
        seed: of its choices.
    """

    def __init__(self, wrong: float = 0.1, seed: int = 0) -> None:
        self.wrong, self.seed = wrong, seed

    def __call__(self, chat: Sequence[Message]) -> str:
        place = max(number for number, each in enumerate(chat) if HEADING in each["content"])
        question = chat[place]["content"]
        rng = np.random.default_rng([self.seed, len(chat) - place, crc32(question.encode())])
        if rng.random() < self.wrong:
            return RandomModel.WRONG[int(rng.integers(len(RandomModel.WRONG)))]
        moves = listed_moves(chat)
        number, notation = moves[int(rng.integers(len(moves)))]
        return f"I like it.\nMOVE: {number if rng.random() < 0.5 else notation}"
