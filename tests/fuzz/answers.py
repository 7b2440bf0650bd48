"""Fuzz what language models answer: a game by text must go on, at once, whatever they say."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from polytrix.core.game import Game
from polytrix.llm import Episode

from .commands import ESCAPES, check_visible

SHORT = {"max_decisions": 40}
LONGEST = 100_000
"""Characters of an answer: as many as the server of OpenEnv takes from anyone."""
MOST_SECONDS = 1.0
"""Of CPU time for an answer. Where the time is linear, the longest one takes milliseconds."""

PIECES = (
    "<think>", "</think>", "<thinking>", "</thinking>", "<THINK", "MOVE:", "MOVE", "move :", "**", "`", "```",
    "```json", "$", "\\boxed{", "}", "<answer>", "</answer>", '{"move": "', '"}', "[", "]", "(", ")", "{", "\\",
    "\n", "\r\n", "\r", "\x0b", "\x85", "\u2028", " ", "\t", "\u00a0", "\u200b", "\ufeff", "：", "－", "−", "“",
    "”", "‘", "１", "²", "٣", "İ", "ﬁ", "e\u0301", "\U0001f600", "<|im_end|>", "<|endoftext|>", "#", ">", "-",
    "1.", "0", "-1", "9" * 5000, "1e5", "0x1", "_", "I think ", *ESCAPES,
)  # fmt: skip
"""What answers are made of, besides the legal moves."""


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try answers the next question of a game by text.

    Args:
        game: the game.
        folder: unused.

    Returns:
        The function that makes a try. Outcomes: "taken" or "refused".
    """
    seats = ["model"] * game.num_players({**game.options.defaults, **SHORT})
    going_on: list[Episode] = []

    def attempt(rng: np.random.Generator) -> str:
        if going_on:
            episode = going_on.pop()
        else:
            episode = Episode(game, seats, options=SHORT, seed=int(rng.integers(1 << 62)), failure="random")
        moves = [game.format_action(episode.session.state, action) for action in episode.session.legal()]
        text = an_answer(moves, rng)
        began = time.process_time()
        try:
            error = episode.answer(text)
        except Exception as raised:
            raise AssertionError(f"the answer {text[:200]!r} raised {raised!r:.200}") from raised
        seconds = time.process_time() - began
        assert seconds <= MOST_SECONDS, f"{len(text):,} characters took {seconds:.1f} s: {text[:100]!r}"
        if not episode.over:
            json.dumps(episode.messages(), ensure_ascii=False).encode()  # as it is sent
        if error is not None:
            assert len(error) < 2000, f"an error has {len(error):,} characters"
            check_visible(error)
        if not episode.over:
            going_on.append(episode)
        return "taken" if error is None else "refused"

    return attempt


def an_answer(moves: list[str], rng: np.random.Generator) -> str:
    """Pieces, some of them repeated very often, and mostly a line with a move at the end."""
    parts = []
    for _ in range(rng.integers(1, 8)):
        piece = "".join(PIECES[k] for k in rng.integers(len(PIECES), size=rng.integers(1, 4)))
        most = 1 + LONGEST // len(piece) if rng.random() < 0.1 else 4
        parts.append(piece * int(rng.integers(1, most)))
    if rng.random() < 0.8:
        around = PIECES[rng.integers(len(PIECES))] if rng.random() < 0.5 else ""
        parts.append(f"\nMOVE: {around}{moves[rng.integers(len(moves))]}{around}")
    return "".join(parts)[-LONGEST:]
