"""Positions of random games, with pending chance events and locks, with no, single and all options."""

from __future__ import annotations

from functools import cache

from polytrix.core.state import Record
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import Phase
from tests.games import samples

FLAGS = tuple(option.name for option in GAME.options if option.name != "max_decisions")
OPTION_SETS = ((), *((flag,) for flag in FLAGS), FLAGS)


@cache
def random_game(seed: int, options: tuple[str, ...]) -> tuple[Record, ...]:
    """All positions of a random game, from the empty table to the end."""
    return tuple(s.copy() for s in samples.random_game(GAME, seed, **dict.fromkeys(options, True)))


@cache
def random_positions() -> tuple[Record, ...]:
    """All positions of the first game, every seventh of the others, and all of the rarer phases and ends."""
    games = [random_game(seed, options) for seed, options in enumerate(OPTION_SETS * 2)]
    games.append(random_game(30, ()))  # in which two diamonds show at once
    rare = (Phase.RESOLVE, Phase.UNDO, Phase.TIE, Phase.REDRAW, Phase.OVER)
    chosen = [s for game in games[1:] for i, s in enumerate(game) if i % 7 == 0 or s.phase in rare]
    return (*games[0], *chosen)
