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
"""Of a bootstrap."""


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
    """What part of a win each seat has, (n, P): those with the highest payoff, if it is above zero.

    >>> shares_of_wins(np.array([[0.5, -1, 0.5], [-1, 2, -1], [0, 0, 0]], np.float32)).tolist()
    [[0.5, 0.0, 0.5], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return np.asarray(shares_of_the_top(payoffs) * (payoffs.max(axis=-1, keepdims=True) > 0), np.float64)


def shares_of_the_top(payoffs: FloatArray | Doubles) -> Doubles:
    """The same where a draw counts as a win that is shared, (..., P); every game's shares add up to 1.

    >>> shares_of_the_top(np.array([[0, 0], [-1, 1]], np.float32)).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    top = payoffs == payoffs.max(axis=-1, keepdims=True)
    return np.asarray(top / top.sum(axis=-1, keepdims=True), np.float64)


def bootstrap_weights(deals: int, seed: int) -> Doubles:
    """Weights of deals for the Bayesian bootstrap (Rubin 1981), (REPLICATES, deals), of mean 1.

    The unit is the deal, not the game: games of one deal are alike.
    """
    return np.random.default_rng([seed, deals]).standard_exponential((REPLICATES, deals))


def bootstrapped(parts: Sequence[Doubles], weights: Doubles) -> tuple[float, float]:
    """95% interval of the mean of some means over deals.

    Args:
        parts: each (deals,), what each deal contributes; the first deals of all parts are the same ones.
        weights: see `bootstrap_weights`; for the most deals that a part has.
    """
    means = [weights[:, : len(values)] @ values / weights[:, : len(values)].sum(axis=1) for values in parts]
    low, high = np.percentile(np.mean(means, axis=0), [2.5, 97.5])
    return float(low), float(high)
