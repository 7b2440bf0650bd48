"""Networks for tests."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from polytrix.agents import NetworkPolicy, save_network
from polytrix.core.game import Game


def some_network(
    game: Game,
    layers: tuple[int, ...] = (24, 7),
    activation: str = "relu",
    beliefs: tuple[int, ...] | None = None,
    seed: int = 1,
) -> NetworkPolicy:
    """A network with random weights, a value head, and beliefs if sizes of their hidden layers are given."""
    rng = np.random.default_rng(seed)

    def made(layers: tuple[int, ...], outputs: int) -> list[tuple[Any, Any]]:
        sizes = [game.observations.size, *layers, outputs]
        return [
            (rng.normal(0, 2 / math.sqrt(inputs), (inputs, outputs)), rng.normal(0, 0.3, outputs))
            for inputs, outputs in pairwise(sizes)
        ]

    acting = made(layers, game.actions.size)
    values = rng.normal(0, 0.5, (layers[-1], game.max_players)), rng.normal(0, 0.2, game.max_players)
    believing = None if beliefs is None else made(beliefs, (game.max_players - 1) * game.actions.size)
    return NetworkPolicy(game, acting, activation, values=values, beliefs=believing)


def save(path: Path, network: NetworkPolicy, **notes: Any) -> Path:
    """Write all parts of a network to a file."""
    return save_network(
        path, network.game, network.layers, network.activation, notes, network.values, network.beliefs
    )
