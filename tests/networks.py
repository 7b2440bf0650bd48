"""Networks for tests."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from polytrix.agents import NetworkPolicy
from polytrix.core.game import Game


def some_network(game: Game, layers: tuple[int, ...] = (24, 7), activation: str = "relu") -> NetworkPolicy:
    """A network with random weights and a value head."""
    rng = np.random.default_rng(1)
    sizes = [game.observations.size, *layers, game.actions.size]
    made = [
        (rng.normal(0, 2 / math.sqrt(inputs), (inputs, outputs)), rng.normal(0, 0.3, outputs))
        for inputs, outputs in pairwise(sizes)
    ]
    values = rng.normal(0, 0.5, (layers[-1], game.max_players)), rng.normal(0, 0.2, game.max_players)
    return NetworkPolicy(game, made, activation, values=values)
