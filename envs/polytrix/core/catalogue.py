"""The registered games, by environment id."""

from __future__ import annotations

import copyreg
from collections.abc import Mapping
from typing import Any

from .calls import did_you_mean
from .errors import PolytrixError
from .game import Game

_GAMES: dict[str, Game] = {}


class UnknownGameError(PolytrixError, KeyError):
    """No game is registered under that name."""


def add(game: Game) -> None:
    """Register a game under its id, replacing any game with the same id."""
    _GAMES[game.id] = game


def all_games() -> tuple[Game, ...]:
    """All registered games, in the order of registration."""
    return tuple(_GAMES.values())


def find(name: Game | str) -> Game:
    """The game with this id (`polytrix/quatrix-v0`), module name (`quatrix_v0`) or name (`quatrix`, newest).

    A `Game` is returned as it is.

    Raises:
        UnknownGameError: lists the registered games.
    """
    if isinstance(name, Game):
        return name
    wanted = name.removeprefix("polytrix/").replace("-", "_")
    by_name = {f"{game.name}_v{game.version}": game for game in _GAMES.values()}
    by_name |= {game.name: game for game in sorted(_GAMES.values(), key=lambda g: g.version)}
    if wanted in by_name:
        return by_name[wanted]
    hint = did_you_mean(wanted, by_name)
    known = ", ".join(game.id for game in _GAMES.values())
    raise UnknownGameError(f"unknown game {name!r}. Games: {known}.{hint}")


def find_exactly(name: str, data: Mapping[str, Any]) -> Game:
    """The game of `find` with exactly these data files replaced.

    Raises:
        UnknownGameError: lists the registered games.
        DataError: see `Game.with_data`.
    """
    game = find(name)
    return (game.shipped or game).with_data(**data)


def _reduce(game: Game) -> tuple[Any, ...]:
    """Pickle a game as its id and replaced data, so that environments can travel between processes."""
    return find_exactly, (game.id, dict(game.replaced))


copyreg.pickle(Game, _reduce)
