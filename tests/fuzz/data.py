"""Fuzz data files: they must be refused with DataError, or give a playable game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import forget_programs
from polytrix.core.data import built
from polytrix.core.errors import DataError
from polytrix.core.game import Game
from polytrix.testing.random_play import check_random_play

from .damage import damaged, damaged_json, put

PLAYED = 0.02
"""Share of the accepted files that are played, in plain Python, since building a game is slow."""

DECISIONS = 20


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try replaces a data file of a game with a damaged one.

    Args:
        game: the game. If it has no data files, it is given one anyway.
        folder: an empty folder.

    Returns:
        The function that makes a try. Outcomes: "refused", "taken", "played", or "shipped" for an
        undamaged file.
    """
    texts = {file.name: json.dumps(json.loads(file.source.read_text("utf-8"))) for file in game.data}
    files = {file.name: file for file in game.data}
    names = list(texts) or ["deck"]

    def attempt(rng: np.random.Generator) -> str:
        if rng.random() < 0.05:
            assert game.with_data(**{name: file.source for name, file in files.items()}) is game
            return "shipped"
        name, path = names[rng.integers(len(names))], folder / "data.json"
        text = texts.get(name, "[]")
        if rng.random() < 0.3:
            put(path, damaged(text.encode(), rng))
            given: Any = path
        else:
            written = damaged_json(text, rng)
            put(path, written.encode())
            given = path
            if rng.random() < 0.5:  # pass the content instead of the path
                try:
                    given = json.loads(written)
                except (ValueError, RecursionError):
                    given = path
        try:
            play = name not in files or rng.random() < PLAYED
            made = game.with_data(**{name: given}) if play else files[name].text(given)
        except DataError:
            return "refused"
        except BaseException as error:
            raise AssertionError(f"a data file for {name!r} raised {error!r}") from error
        finally:
            built.cache_clear()
        if made is game or not isinstance(made, Game):
            return "taken"
        try:
            check_random_play(made, None, DECISIONS, Mode.PLAIN, games=1, seed=int(rng.integers(1 << 40)))
        except Exception as error:
            raise AssertionError(f"a data file for {name!r} cannot be played: {error!r}") from error
        finally:
            forget_programs()
        return "played"

    return attempt
