"""Fuzz replay files: `polytrix replay` must refuse them, or show them as text and as a page."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.game import Game
from polytrix.core.transcript import Transcript, play
from polytrix.replay.data import FORMAT

from .commands import ESCAPES, said_by
from .damage import damaged, damaged_json, planted, put

DECISIONS = 3
PLANTED = (*ESCAPES, "</script><script>", "<img src=x onerror=alert(1)>")


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try opens a damaged or forged file of a game that language models have played.

    Args:
        game: a registered game.
        folder: an empty folder.

    Returns:
        The function that makes a try. Outcomes: "refused" or "opened".
    """
    path, page, markdown = (folder / name for name in ("game.json", "game.html", "game.md"))
    text = json.dumps(with_models(play(game, seed=1, decisions=DECISIONS)))

    def opened() -> bool:
        said = said_by("replay", path, "--html", page, "--markdown", markdown)
        if said.refused:
            assert path.name in said.err, f"an error does not name the file: {said.err}"
        return not said.refused

    put(path, text.encode())
    assert opened(), "a whole file is refused"
    frame, _ = parts_of(page)

    def attempt(rng: np.random.Generator) -> str:
        way = rng.integers(3)
        if way == 0:
            put(path, damaged(text.encode(), rng))
        else:
            forged = damaged_json(text, rng) if way == 1 else planted(text, PLANTED, rng)
            put(path, forged.encode())
        if not opened():
            return "refused"
        found, content = parts_of(page)
        assert found == frame, "a file has changed the page around its game"
        assert content["format"] == FORMAT and content["game"] == game.id
        return "opened"

    return attempt


def with_models(transcript: Transcript) -> dict[str, Any]:
    """The file of a game in which a language model was asked for the first decision."""
    players = transcript.description().num_players(transcript.options)
    answers = [
        {"text": "I pass.", "reasoning": "Why not?", "error": "no move"},
        {"text": "MOVE: 0", "reasoning": "", "error": None},
    ]
    asked = {"number": 0, "seat": 0, "question": "Your move?", "answers": answers}
    told = {"forfeited": None, "rewards": [0.0] * players, "asked": [asked]}
    names = [f"player {seat}" for seat in range(players)]
    return {**json.loads(transcript.to_text()), "players": names, "language_models": told}


def parts_of(page: Path) -> tuple[str, dict[str, Any]]:
    """A page without its game, and the game."""
    text = page.read_text(encoding="utf-8")
    found = re.search(r'"replay"[^>]*>([A-Za-z0-9+/=]{100,})<', text)
    assert found, "the page holds no game"
    content = json.loads(zlib.decompress(b64decode(found[1])), parse_constant=lambda name: 1 / 0)
    return text[: found.start(1)] + text[found.end(1) :], content
