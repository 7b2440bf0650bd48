"""The Gymnasium spaces of a game.

Their `dtype` is that of observations, see `ObservationType`; masks are int8.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, Space

from polytrix.core.game import Game
from polytrix.core.state import ByteArray

from .arguments import SeenType, check_dtype

INT8 = check_dtype("int8")


def shorten(box: Space[Any]) -> Space[Any]:
    """The same space, which shows the range of its bounds when it is printed: not each of them.

    >>> shorten(Box(np.array([0, -1], np.int8), np.array([1, 100], np.int8), dtype=np.int8))
    Box(-1..0, 1..100, (2,), int8)
    """
    assert isinstance(box, Box)
    box.low_repr, box.high_repr = shown_bounds(box.low), shown_bounds(box.high)
    return box


def shown_bounds(bounds: npt.NDArray[Any]) -> str:
    """The range of some bounds, or the one that all entries have."""
    least, most = bounds.min(), bounds.max()
    return f"{least}" if least == most else f"{least}..{most}"


def observation_space(game: Game, dtype: SeenType = INT8) -> Space[Any]:
    """A seat's observation: a flat vector with the bounds of the layout."""
    return _box(game.observations.low, game.observations.high, dtype)


def mask_space(game: Game) -> Space[Any]:
    """The mask of legal actions: 1 where an action is legal."""
    return Box(0, 1, (game.actions.size,), np.int8)


def masked_space(game: Game, dtype: SeenType = INT8) -> Space[Any]:
    """A PettingZoo agent's observation: its seat's observation and the mask of legal actions."""
    return Dict(observation=observation_space(game, dtype), action_mask=mask_space(game))


def state_space(game: Game, players: int, dtype: SeenType = INT8) -> Space[Any]:
    """The concatenated observations of all seats; zeros for unused seats, `players` and up."""
    bounds = np.zeros((2, game.max_players, game.observations.size), np.int8)
    bounds[0, :players] = game.observations.low
    bounds[1, :players] = game.observations.high
    low, high = bounds.reshape(2, -1)
    return _box(low, high, dtype)


def action_space(game: Game) -> Space[Any]:
    """All action numbers, legal or not."""
    return Discrete(game.actions.size)


def _box(low: ByteArray, high: ByteArray, dtype: SeenType) -> Space[Any]:
    return shorten(Box(low.astype(dtype), high.astype(dtype), dtype=dtype.type))
