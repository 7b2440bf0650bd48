"""Bradley-Terry ratings on the Elo scale, with intervals."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from polytrix.core.errors import MissingExtraError

from .statistics import REPLICATES, Doubles

ELO = 400 / np.log(10)
"""Elo points of a factor e in the odds."""

ANCHOR = 1000.0
"""Rating of the agent that the others are compared with."""

PRIOR = 0.5
"""Wins that each of two agents who meet has before the first game (Jeffreys): no rating is infinite."""


def fitted(wins: Doubles) -> Doubles:
    """Log strengths whose differences make the wins most likely, (agents,).

    Args:
        wins: `wins[i, j]` of i against j; where both are zero, the two have not met.

    Raises:
        MissingExtraError: without the library `choix`.
    """
    if find_spec("choix") is None:
        raise MissingExtraError("the arena's ratings", "arena")
    import choix

    return np.asarray(choix.ilsr_pairwise_dense(wins), np.float64)


def ratings(
    per_deal: Doubles, met: Doubles, anchor: int, weights: Doubles, seed: int
) -> tuple[Doubles, Doubles, Doubles]:
    """Ratings with their 95% intervals, each (agents,).

    A rating says how much stronger or weaker than the anchor an agent is, and so does its interval;
    the anchor's own has no width. Intervals come from the proper Bayesian bootstrap (Muliere, Secchi
    1996): deals get random weights, and so do the prior's wins. So an agent that never lost has an
    interval that is wide on the upper side, instead of none.

    Args:
        per_deal: (deals, agents, agents) wins of one against the other.
        met: (agents, agents) 1 where two have met, else 0.
        anchor: index of the agent with rating ANCHOR.
        weights: see `statistics.bootstrap_weights`.
        seed: of the prior's weights.
    """
    prior = np.random.default_rng([seed, len(met)]).gamma(PRIOR, size=(REPLICATES, *met.shape)) * met
    drawn = np.tensordot(weights, per_deal, axes=1) + np.maximum(prior, 1e-9 * met)
    best = fitted(per_deal.sum(axis=0) + PRIOR * met)
    all_fits = np.array([fitted(wins) for wins in drawn])
    points = ANCHOR + ELO * (best - best[anchor])
    spread = ANCHOR + ELO * (all_fits - all_fits[:, [anchor]])
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    return points, np.minimum(low, points), np.maximum(high, points)
