"""Reads a file of games with their moves."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.arena.records import FORMAT, RecordsError, block_in, parse
from polytrix.arena.tournament import SEEDS_APART, first_seed
from polytrix.core.catalogue import find_exactly
from polytrix.core.errors import OptionError, PolytrixError
from polytrix.core.game import Game
from polytrix.core.state import FloatArray

MOST_BYTES = 1 << 30
"""Size of the largest file that is read, after decompression."""
LARGEST_SEED = (1 << 40) - 1
"""Of a tournament."""


class Played(NamedTuple):
    """A finished game.

    Args:
        seed: of the game.
        agents: the name of the agent in each seat.
        actions: (decisions,) int16.
        payoffs: (seats,) float32.
    """

    seed: int
    agents: tuple[str, ...]
    actions: npt.NDArray[np.int16]
    payoffs: FloatArray


class Dataset(NamedTuple):
    """A file of games.

    Args:
        path: the file.
        game, options: what was played, and the values of all options.
        games: those that are finished.
    """

    path: Path
    game: Game
    options: Mapping[str, Any]
    games: list[Played]

    @property
    def players(self) -> int:
        """Number of seats that play."""
        return self.game.num_players(self.options)


def read(path: Path | str) -> Dataset:
    """The games in a file that `polytrix dataset make` has written; it may be compressed by gzip.

    The moves are not played, and so not checked, before `expand`.

    Raises:
        RecordsError: the file cannot be read, is damaged or larger than `MOST_BYTES`, or has no games or no
            moves.
    """
    path = Path(path)
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise RecordsError(f"{path} cannot be read ({error})") from None
    if len(data) > MOST_BYTES:
        raise RecordsError(f"{path} is larger than {MOST_BYTES:,} bytes; make several files, with other seeds")
    header, *lines = data.split(b"\n")
    game, options, seed = _described(path, parse(path, 1, header))
    players, games = game.num_players(options), list[Played]()
    for number, line in enumerate(lines[:-1], 2):
        block, played = block_in(path, number, line, players)
        if not played.moves or block.first + block.deals > SEEDS_APART:
            raise RecordsError(
                f"{path}, line {number} has games without moves: `polytrix dataset make` keeps them"
            )
        names = np.array([block.one, block.rest], object)[block.seating(players)]
        for deal, (rotations, payoffs) in enumerate(zip(played.moves, played.payoffs, strict=True)):
            for agents, moves, paid in zip(names, rotations, payoffs, strict=True):
                exist = -1 < min(moves, default=0) <= max(moves, default=0) < game.actions.size
                if not exist or len(moves) > options["max_decisions"]:
                    raise RecordsError(f"{path}, line {number} has moves that the game does not have")
                actions = np.array(moves, np.int16)
                games.append(Played(first_seed(seed, block) + deal, tuple(agents), actions, paid))
    if not games:
        raise RecordsError(f"{path} has no finished games")
    return Dataset(path, game, options, games)


def _described(path: Path, header: Any) -> tuple[Game, dict[str, Any], int]:
    """The game, its options, and the seed of the tournament, from the first line of a file."""
    try:
        name, data, given, seed = (header[key] for key in ("environment", "data", "options", "seed"))
        if header["format"] != FORMAT:
            raise OptionError(f"its format is {header['format']!r}; expected {FORMAT!r}")
        if type(seed) is not int or not 0 <= seed <= LARGEST_SEED or not isinstance(given, dict):
            raise OptionError("its seed or its options are none")
        if not all(isinstance(content, (dict, list)) for content in data.values()):
            raise OptionError("it does not have the content of the game's data files")
        game = find_exactly(name, data)
        if game.id != name:
            raise OptionError(f"it has games of {name}; installed is {game.id}")
        return game, {**game.options.validate(given)}, seed
    except (PolytrixError, KeyError, TypeError, AttributeError) as error:
        raise RecordsError(f"{path} is not a file of games that can be played again: {error!s:.200}") from None
