"""Rates and means with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from polytrix.core.state import FloatArray

Doubles: TypeAlias = npt.NDArray[np.float64]

REPLICATES = 1000
"""Number of bootstrap replicates."""


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson score interval of a binomial rate (Wilson 1927).

    >>> tuple(round(x, 3) for x in wilson(95, 100))
    (0.888, 0.978)
    """
    rate = wins / games
    centre = rate + z * z / (2 * games)
    spread = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def shares_of_wins(payoffs: FloatArray | Doubles) -> Doubles:
    """Wins of each seat, (n, P): the highest payoff wins if it is above zero; ties split the win.

    >>> shares_of_wins(np.array([[0.5, -1, 0.5], [-1, 2, -1], [0, 0, 0]], np.float32)).tolist()
    [[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return np.asarray(shares_of_the_top(payoffs) * (payoffs.max(axis=-1, keepdims=True) > 0), np.float64)


def shares_of_the_top(payoffs: FloatArray | Doubles) -> Doubles:
    """The same, but draws split the win too, (..., P): the shares of every game sum to 1.

    >>> shares_of_the_top(np.array([[0, 0], [-1, 1]], np.float32)).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    top = payoffs == payoffs.max(axis=-1, keepdims=True)
    return np.asarray(top / top.sum(axis=-1, keepdims=True), np.float64)


def bootstrap_weights(deals: int, seed: int) -> Doubles:
    """Weights of deals for the Bayesian bootstrap (Rubin 1981), (REPLICATES, deals), with mean 1.

    Deals are resampled, not games: games of one deal are correlated.
    """
    return np.random.default_rng([seed, deals]).standard_exponential((REPLICATES, deals))


def bootstrap(parts: Sequence[Doubles], weights: Doubles) -> tuple[float, float]:
    """95% interval of the mean of some means over deals.

    Args:
        parts: (deals,) each, values per deal; deal i is the same in all parts.
        weights: see `bootstrap_weights`; for at least as many deals as the longest part has.
    """
    means = [weights[:, : len(values)] @ values / weights[:, : len(values)].sum(axis=1) for values in parts]
    low, high = np.percentile(np.mean(means, axis=0), [2.5, 97.5])
    return float(low), float(high)
