"""Positions of random games, with pending chance events and locks, with no, single and all options."""

from __future__ import annotations

from functools import cache

import numpy as np

from polytrix.core.state import CHANCE, OVER, Record
from polytrix.games.resistor import GAME, rules
from polytrix.games.resistor.state import Phase
from tests.games.by_hand import new_game

FLAGS = (
    "comeback_circuits",
    "dangerous_resistors",
    "feedback_overflow",
    "recycling_subsystems",
    "lock_down",
)
OPTION_SETS = ((), *((flag,) for flag in FLAGS), FLAGS)


@cache
def random_game(seed: int, options: tuple[str, ...]) -> tuple[Record, ...]:
    """All positions of a random game, from the empty table to the end."""
    s = new_game(GAME, **dict.fromkeys(options, True))[0]
    s.generator.key = seed
    rng = np.random.default_rng(seed)
    positions = [s.copy()]
    while s.mover != OVER:
        choices = range(rules.chance(s)) if s.mover == CHANCE else GAME.legal_ids(s)
        rules.apply(s, int(rng.choice(choices)))
        positions.append(s.copy())
    return tuple(positions)


@cache
def random_positions() -> tuple[Record, ...]:
    """All positions of the first game, every seventh of the others, and all of the rarer phases and ends."""
    games = [random_game(seed, options) for seed, options in enumerate(OPTION_SETS * 2)]
    games.append(random_game(30, ()))  # in which two diamonds show at once
    rare = (Phase.RESOLVE, Phase.UNDO, Phase.TIE, Phase.REDRAW, Phase.OVER)
    chosen = [s for game in games[1:] for i, s in enumerate(game) if i % 7 == 0 or s.phase in rare]
    return (*games[0], *chosen)
