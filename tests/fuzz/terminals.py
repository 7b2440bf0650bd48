"""Fuzz what commands print of a stranger's files: no control character of theirs may reach a terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np

from polytrix.agents import save_network
from polytrix.core.game import Game
from polytrix.core.transcript import play

from .commands import ESCAPES, Said, said_by
from .damage import planted, put
from .replays import with_models

Generator = np.random.Generator


def prepare(game: Game, folder: Path) -> Callable[[Generator], str]:
    """Each try plants texts that a terminal obeys into a file, or into its name, and runs a command with it.

    Args:
        game: a registered game.
        folder: an empty folder.

    Returns:
        The function that makes a try. Outcomes: "refused" or "shown".
    """
    texts = {file.name: file.source.read_text(encoding="utf-8") for file in game.data}
    replay = json.dumps(with_models(play(game, seed=1, decisions=2)))
    network, header = _network(game, folder / "whole.npz")
    result = folder / "result.json"
    records = result.with_suffix(".games.jsonl")
    arena = ("arena", game.name, "random", "greedy", "--table", "random", "--deals", 1, "--json", result)
    assert not said_by(*arena).refused
    lines = records.read_text(encoding="utf-8").splitlines()

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
        path = named(".json", rng)
        put(path, planted(replay, ESCAPES, rng).encode())
        return said_by("replay", path)

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

    ways = data_file, replay_file, network_file, records_file

    def attempt(rng: Generator) -> str:
        return "refused" if ways[rng.integers(len(ways))](rng).refused else "shown"

    return attempt


def _network(game: Game, path: Path) -> tuple[dict[str, np.ndarray], str]:
    """The arrays of a small saved network, and its header."""
    weight = np.zeros((game.observations.size, game.actions.size), np.float32)
    save_network(path, game, [(weight, np.zeros(game.actions.size, np.float32))], notes={"by": "a stranger"})
    with np.load(path) as file:
        arrays = dict(file)
    return arrays, str(arrays.pop("header"))
