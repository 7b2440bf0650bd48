"""Fuzz searches at positions of forged snapshots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from polytrix.agents import GuidedSearchPolicy, NetworkPolicy, SearchPolicy
from polytrix.core.game import Game

from .snapshots import played_on


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """Each try asks a search about a forged position of a game, and plays it on."""
    searches = SearchPolicy(game, simulations=6), GuidedSearchPolicy(game, _network(game), simulations=6)
    return played_on(game, searches)


def _network(game: Game) -> NetworkPolicy:
    """A small one without any knowledge, which a search can be guided by."""
    rng = np.random.default_rng(1)
    sizes = [(game.observations.size, 8), (8, game.actions.size), (8, game.max_players)]
    first, policy, values = (
        (rng.normal(size=size).astype(np.float32), np.zeros(size[1], np.float32)) for size in sizes
    )
    return NetworkPolicy(game, [first, policy], "relu", values=values)
