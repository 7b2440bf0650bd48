"""Bradley-Terry ratings on the Elo scale, with intervals."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from polytrix.core.errors import MissingExtraError

from .statistics import REPLICATES, Doubles

ELO = 400 / np.log(10)
"""Elo points for a factor of e in the odds."""

ANCHOR = 1000.0
"""Rating of the anchor, the agent with a fixed rating."""

PRIOR = 0.5
"""Prior wins of both agents of a pair (Jeffreys prior), which keep ratings finite."""


def fitted(wins: Doubles) -> Doubles:
    """Maximum-likelihood log strengths of the Bradley-Terry model, (agents,).

    Args:
        wins: `wins[i, j]` is the number of wins of i against j.

    Raises:
        MissingExtraError: the library `choix` is not installed.
    """
    if find_spec("choix") is None:
        raise MissingExtraError("the arena's ratings", "arena")
    import choix

    return np.asarray(choix.ilsr_pairwise_dense(wins), np.float64)


def ratings(
    per_deal: Doubles, met: Doubles, anchor: int, weights: Doubles, seed: int
) -> tuple[Doubles, Doubles, Doubles]:
    """Ratings with their 95% intervals, each (agents,).

    Ratings and intervals are relative to the anchor, whose own interval has width 0. Intervals come from the
    proper Bayesian bootstrap (Muliere, Secchi 1996): deals and prior wins get random weights. So the interval
    of an agent that never lost has a finite upper end.

    Args:
        per_deal: (deals, agents, agents) wins of the first agent against the second.
        met: (agents, agents) 1 if two agents have met, else 0.
        anchor: index of the agent with rating ANCHOR.
        weights: see `statistics.bootstrap_weights`.
        seed: random seed of the prior's weights.
    """
    prior = np.random.default_rng([seed, len(met)]).gamma(PRIOR, size=(REPLICATES, *met.shape)) * met
    drawn = np.tensordot(weights, per_deal, axes=1) + np.maximum(prior, 1e-9 * met)
    best = fitted(per_deal.sum(axis=0) + PRIOR * met)
    all_fits = np.array([fitted(wins) for wins in drawn])
    points = ANCHOR + ELO * (best - best[anchor])
    spread = ANCHOR + ELO * (all_fits - all_fits[:, [anchor]])
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    return points, np.minimum(low, points), np.maximum(high, points)
