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


def wilson(wins: float, games: int) -> tuple[float, float]:
    """95% Wilson score interval of a binomial rate (Wilson 1927).

    >>> tuple(round(x, 3) for x in wilson(95, 100))
    (0.888, 0.978)
    """
    rate, z = wins / games, 1.96
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


def family_weights(families: Sequence[str], rng: np.random.Generator) -> Doubles:
    """Weights of agents that are samples of their families, (REPLICATES, agents); each family's mean is 1.

    With Gamma(1 - 2 / n) instead of the Bayesian bootstrap's Gamma(1), the mean of n agents varies by their
    sample variance over n, however few they are. Less than three say nothing about a family: they weigh 1.
    """
    weights = np.ones((REPLICATES, len(families)))
    for family in dict.fromkeys(families):
        own = np.flatnonzero([name == family for name in families])
        if len(own) > 2:
            drawn = rng.standard_gamma(1 - 2 / len(own), (REPLICATES, len(own)))
            weights[:, own] = drawn / drawn.mean(axis=1, keepdims=True)
    return weights


def crossed_bootstrap(
    values: Doubles, pairs: npt.NDArray[np.bool_], families: Sequence[str], seed: int
) -> tuple[float, float]:
    """95% interval of the mean over some pairs of agents: other seeds of training, other partners, other deals.

    Agents and deals are resampled, each with one weight in all that it takes part in, so what an agent's games
    have in common stays in common. The pairs of two families together weigh the same in every replicate: no
    agent meets itself, so a family would otherwise count less among its own where one agent weighs much.

    Args:
        values: (agents, agents, deals) of the row's agent among the column's; deal i is the same everywhere.
        pairs: (agents, agents) which count.
        families: (agents,) the name of each agent's family, see `family_weights`.
        seed: of the weights.
    """
    rows, columns = np.nonzero(pairs)
    weights = family_weights(families, np.random.default_rng(seed))
    deals = bootstrap_weights(values.shape[2], seed)
    means = values[rows, columns] @ (deals / deals.sum(axis=1, keepdims=True)).T  # (pairs, REPLICATES)
    both = (weights[:, rows] * weights[:, columns]).T
    family = np.unique(families, return_inverse=True)[1]
    met = family[rows] * len(family) + family[columns]
    for number in np.unique(met):
        own = met == number
        both[own] /= both[own].mean(axis=0)
    low, high = np.percentile((both * means).mean(axis=0), [2.5, 97.5])
    return float(low), float(high)
