"""Fuzz what commands make of a stranger's files: no control character reaches a terminal, no code a page."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.game import Game
from polytrix.core.transcript import Transcript, play
from polytrix.replay.data import FORMAT
from tests.networks import save, some_network

from .commands import ESCAPES, Said, said_by
from .damage import damaged, damaged_json, planted, put

Generator = np.random.Generator
PLANTED = (*ESCAPES, "</script><script>", "<img src=x onerror=alert(1)>")


def prepare(game: Game, folder: Path) -> Callable[[Generator], str]:
    """Each try damages a file, or plants texts in it or its name, and runs a command with it.

    Outcomes: "refused" or "shown".
    """
    texts = {file.name: file.source.read_text(encoding="utf-8") for file in game.data}
    replay = json.dumps(with_models(play(game, seed=1, decisions=3)))
    page, markdown = folder / "game.html", folder / "game.md"
    network, header = _network(game, folder / "whole.npz")
    result = folder / "result.json"
    records = result.with_suffix(".games.jsonl")
    arena = ("arena", game.name, "random", "greedy", "--table", "random", "--deals", 1, "--json", result)
    assert not said_by(*arena).refused
    lines = records.read_text(encoding="utf-8").splitlines()
    put(folder / "whole.json", replay.encode())
    assert not said_by("replay", folder / "whole.json", "--html", page).refused, "a whole file is refused"
    frame, _ = parts_of(page)

    def named(ending: str, rng: Generator) -> Path:
        """A name of a file, which may be planted, too, as far as files can have such names."""
        name = "" if rng.random() < 0.7 else re.sub("[/\0\ud800]", "", ESCAPES[rng.integers(len(ESCAPES))])
        return folder / f"a{name}{ending}"

    def data_file(rng: Generator) -> Said:
        if not texts:
            return replay_file(rng)
        name, path = list(texts)[rng.integers(len(texts))], named(".json", rng)
        put(path, planted(texts[name], ESCAPES, rng).encode())
        text = ["--text"] if rng.random() < 0.5 else []
        return said_by("describe", game.name, "-o", f"{name}={path}", *text)

    def replay_file(rng: Generator) -> Said:
        path, way = named(".json", rng), rng.integers(3)
        forged = damaged_json(replay, rng) if way == 0 else planted(replay, PLANTED, rng)
        put(path, damaged(replay.encode(), rng) if way == 1 else forged.encode())
        said = said_by("replay", path, "--html", page, "--markdown", markdown)
        if said.refused:
            assert path.name in said.err or path.name != "a.json", f"an error names no file: {said.err}"
        else:
            found, content = parts_of(page)
            assert found == frame, "a file has changed the page around its game"
            assert content["format"] == FORMAT and content["game"] == game.id
        return said

    def network_file(rng: Generator) -> Said:
        path = named(".npz", rng)
        arrays = {**network, "header": np.array(planted(header, ESCAPES, rng).rstrip("\0"))}
        buffer = BytesIO()
        np.savez(buffer, **arrays)  # type: ignore[arg-type]  # no clash with savez's own keyword
        put(path, buffer.getvalue())
        return said_by("arena", game.name, path, "--table", "random", "--deals", 1)

    def records_file(rng: Generator) -> Said:
        changed = list(lines)
        number = rng.integers(len(lines))
        changed[number] = planted(lines[number], ESCAPES, rng)
        put(records, "".join(f"{line}\n" for line in changed).encode())
        return said_by(*arena)

    ways = data_file, replay_file, replay_file, network_file, records_file

    def attempt(rng: Generator) -> str:
        return "refused" if ways[rng.integers(len(ways))](rng).refused else "shown"

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


def _network(game: Game, path: Path) -> tuple[dict[str, np.ndarray], str]:
    """The arrays of a small saved network, and its header."""
    with np.load(save(path, some_network(game, (4,)), by="a stranger")) as file:
        arrays = dict(file)
    return arrays, str(arrays.pop("header"))
