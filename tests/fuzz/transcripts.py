"""Fuzz transcripts: they must be refused with TranscriptError, or replay exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import TranscriptError
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript, play

from .damage import damaged, damaged_json, put

DECISIONS = 6


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try reads a damaged or forged transcript.

    Args:
        game: a registered game.
        folder: an empty folder.

    Returns:
        The function that makes a try. Outcomes: "refused" or "taken".
    """
    path = folder / "game.json"
    texts = []
    for seed in (1, 2):
        text = play(game, seed=seed, decisions=DECISIONS).to_text()
        texts.append(text)
        texts.append("\n".join(line for line in text.splitlines() if not line.startswith('  "actions"')))

    def attempt(rng: np.random.Generator) -> str:
        text, other = (texts[i] for i in rng.integers(len(texts), size=2))
        if rng.random() < 0.5:
            data = damaged(text.encode(), rng, other.encode())
        else:
            data = damaged_json(text, rng).encode()
        put(path, data)
        try:
            read = Transcript.load(path)
        except TranscriptError as error:
            if str(path) not in str(error):
                raise AssertionError(f"an error does not name the file: {error}") from error
            return "refused"
        except BaseException as error:
            raise AssertionError(f"reading a transcript raised {error!r}") from error
        assert len(list(read.positions())) == len(read.actions) + 1, "a transcript does not replay"
        assert Transcript.from_text(read.to_text()) == read, "a transcript is written as another one"
        if rng.random() < 0.01:  # plain Python catches overflows
            plain, compiled = (read.replay(mode).states.tobytes() for mode in (Mode.PLAIN, Mode.COMPILED))
            assert plain == compiled, "a transcript replays to another state in plain Python"
        return "taken"

    return attempt
