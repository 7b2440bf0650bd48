"""A scripted model, which reads the prompt like a language model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zlib import crc32

import numpy as np

from polytrix.llm import Message

LISTED = re.compile(r"^ *(\d+)  (\S.*?)  +\S", re.MULTILINE)
HEADING = "Legal moves: number, notation, meaning\n"


def listed_moves(messages: Sequence[Message]) -> list[tuple[int, str]]:
    """Number and notation of the moves in the last question that lists them."""
    question = next(each["content"] for each in reversed(messages) if HEADING in each["content"])
    return [(int(number), notation) for number, notation in LISTED.findall(question.split(HEADING)[-1])]


class ClumsyModel:
    """Plays a random listed move; some answers are no legal move, also when it is asked again.

    It has no memory: the same question gets the same answer, however much of the chat stands before it.

    Args:
        wrong: the share of answers that are no legal move.
        seed: of its choices.
    """

    WRONG = ("I pass the salt.", "MOVE: xyzzy", "", "MOVE: 999999", "<think>well", "F3\nMOVE:")

    def __init__(self, wrong: float = 0.1, seed: int = 0) -> None:
        self.wrong, self.seed = wrong, seed

    def __call__(self, chat: Sequence[Message]) -> str:
        place = max(number for number, each in enumerate(chat) if HEADING in each["content"])
        question = chat[place]["content"]
        rng = np.random.default_rng([self.seed, len(chat) - place, crc32(question.encode())])
        if rng.random() < self.wrong:
            return self.WRONG[int(rng.integers(len(self.WRONG)))]
        moves = listed_moves(chat)
        number, notation = moves[int(rng.integers(len(moves)))]
        return f"I like it.\nMOVE: {number if rng.random() < 0.5 else notation}"
