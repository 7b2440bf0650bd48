"""The Gymnasium spaces of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, Space

from polytrix.core.game import Game


def observation_space(game: Game) -> Space[Any]:
    """What a seat sees: a flat int8 vector with the bounds of the layout."""
    return Box(game.observations.low, game.observations.high, dtype=np.int8)


def action_space(game: Game) -> Space[Any]:
    """The numbers of all actions, legal or not."""
    return Discrete(game.actions.size)
