"""Advantages of decisions that are linked to the next one of the same seat."""

from __future__ import annotations

import numpy as np

from polytrix.core.compile.cached import cached_njit
from polytrix.core.state import FloatArray, IntArray

END = -1
"""Instead of the index of a seat's next decision: the game has ended."""
OPEN = -2
"""Instead of the index of a seat's next decision: it has not come yet."""


@cached_njit(nogil=True, error_model="numpy")
def estimate(
    following: IntArray, reward: FloatArray, value: FloatArray, gamma: np.float32, gae_lambda: np.float32
) -> FloatArray:
    """Generalised advantage estimation along each seat's own decisions.

    Args:
        following: (N,) index of the seat's next decision, which comes later, or END or OPEN; it may be longer.
        reward: (N,) reward until then; it may be longer.
        value: (N,) of the decisions.
        gamma, gae_lambda: of the estimation.

    Returns:
        (N,) float32; 0 for open decisions, whose values bootstrap the decisions before them.
    """
    advantage = np.zeros(len(value), np.float32)
    for i in range(len(value) - 1, -1, -1):
        after = following[i]
        if after == END:
            advantage[i] = reward[i] - value[i]
        elif after != OPEN:
            surprise = reward[i] + gamma * value[after] - value[i]
            advantage[i] = surprise + gamma * gae_lambda * advantage[after]
    return advantage
