"""Positions of random games, with options that cover the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from polytrix.core.simulator import Simulator
from polytrix.games.estimatrix import GAME
from tests.games.samples import walk

VARIETY: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3, "acquaintance": 2},
    {"players": 6, "advanced": True, "wavelengths": 2},
    {"players": 5, "ban": "rolled", "domains": 13, "max_turns": 7},
    {"players": 4, "hints": "symbols", "advanced": True, "domains": 32},
    {"players": 3, "hints": "none", "max_decisions": 37},
    {"players": 6, "acquaintance": 0, "max_turns": 3},
    {"players": 5, "advanced": True, "acquaintance": 2, "wavelengths": 2, "domains": 2, "max_decisions": 90},
)
"""Options of eight very different games."""


def random_states(
    options: Sequence[dict[str, Any]] | dict[str, Any], steps: int, seed: int, games: int = 8
) -> Iterator[Simulator]:
    """A simulator that plays random games, yielded before each step. Finished games restart."""
    return walk(Simulator(GAME, games, options, seed=seed), steps)


def some_options(rng: random.Random) -> dict[str, Any]:
    """Options drawn at random."""
    return {
        "players": rng.randint(3, 6),
        "advanced": rng.random() < 0.5,
        "hints": rng.choice(("lexicon", "lexicon", "symbols", "none")),
        "wavelengths": rng.randint(2, 3),
        "acquaintance": rng.randint(0, 2),
        "domains": rng.randint(1, 63),
        "ban": rng.choice(("choice", "rolled")),
        "max_turns": rng.randint(1, 40),
        "max_decisions": rng.choice((1000, rng.randint(1, 200))),
    }
