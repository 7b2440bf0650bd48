"""The Gymnasium spaces of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space

from polytrix.core.game import Game


def observation_space(game: Game) -> Space[Any]:
    """A seat's observation: a flat int8 vector with the bounds of the layout."""
    return Box(game.observations.low, game.observations.high, dtype=np.int8)


def masked_space(game: Game) -> Space[Any]:
    """A PettingZoo agent's observation: its seat's observation and the mask of legal actions."""
    mask = Box(0, 1, (game.actions.size,), np.int8)
    return Dict(observation=observation_space(game), action_mask=mask)


def state_space(game: Game, players: int) -> Space[Any]:
    """The concatenated observations of all seats; zeros for unused seats, `players` and up."""
    bounds = np.zeros((2, game.max_players, game.observations.size), np.int8)
    bounds[0, :players] = game.observations.low
    bounds[1, :players] = game.observations.high
    low, high = bounds.reshape(2, -1)
    return Box(low, high, dtype=np.int8)


def action_space(game: Game) -> Space[Any]:
    """All action numbers, legal or not."""
    return Discrete(game.actions.size)
