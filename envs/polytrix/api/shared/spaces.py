"""The Gymnasium spaces of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space

from polytrix.core.game import Game


def observation_space(game: Game) -> Space[Any]:
    """What a seat sees: a flat int8 vector with the bounds of the layout."""
    return Box(game.observations.low, game.observations.high, dtype=np.int8)


def masked_space(game: Game) -> Space[Any]:
    """What an agent of PettingZoo is given: what its seat sees, and which actions are legal."""
    mask = Box(0, 1, (game.actions.size,), np.int8)
    return Dict(observation=observation_space(game), action_mask=mask)


def state_space(game: Game, players: int) -> Space[Any]:
    """What all seats see, side by side; zeros for those from `players` on, which take no part."""
    bounds = np.zeros((2, game.max_players, game.observations.size), np.int8)
    bounds[0, :players] = game.observations.low
    bounds[1, :players] = game.observations.high
    low, high = bounds.reshape(2, -1)
    return Box(low, high, dtype=np.int8)


def action_space(game: Game) -> Space[Any]:
    """The numbers of all actions, legal or not."""
    return Discrete(game.actions.size)
