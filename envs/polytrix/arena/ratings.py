"""Bradley-Terry ratings on the Elo scale, with intervals."""

from __future__ import annotations

import numpy as np

from .statistics import REPLICATES, Doubles

ELO = 400 / np.log(10)
"""Elo points for a factor of e in the odds."""

ANCHOR = 1000.0
"""Rating of the anchor, the agent with a fixed rating."""

PRIOR = 0.5
"""Prior wins of both agents of a pair (Jeffreys prior), which keep ratings finite."""

MOST_STEPS = 200
"""Steps of `fitted`; it needs 5 to 50, as far as rounding permits."""


def fit(wins: Doubles) -> Doubles:
    """Maximum-likelihood log strengths of the Bradley-Terry model, (..., agents); that of the first agent is 0.

    Newton's method, its steps shortened as in Sun, Tran-Dinh 2019 (generalized self-concordant functions), so
    that it converges from anywhere. `MOST_STEPS` are enough for strengths that differ by up to 700, which the
    prior of `ratings` allows in no tournament.

    Args:
        wins: (..., agents, agents) wins of the first agent against the second. Pairs in which both have won
            something must connect all agents.

    >>> strengths = fit(np.array([[0.0, 3.0], [1.0, 0.0]]))
    >>> bool(np.isclose(strengths[0] - strengths[1], np.log(3)))
    True
    """
    strengths = np.zeros(wins.shape[:-1])
    step = np.zeros_like(strengths)
    for _ in range(MOST_STEPS):
        chances = 1 / (1 + np.exp(strengths[..., None, :] - strengths[..., :, None]))  # of the first agent
        opposite = chances.swapaxes(-1, -2)
        slope = (wins * opposite - wins.swapaxes(-1, -2) * chances).sum(axis=-1)
        bend = (wins + wins.swapaxes(-1, -2)) * chances * opposite
        curvature = bend.sum(axis=-1)[..., None] * np.eye(wins.shape[-1]) - bend
        step[..., 1:] = np.linalg.solve(curvature[..., 1:, 1:], slope[..., 1:, None])[..., 0]
        width = np.ptp(step, axis=-1)[..., None]
        strengths += step * np.log1p(width) / np.maximum(width, 1e-300)
        if width.max() < 1e-9:
            break
    return strengths


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
    best = fit(per_deal.sum(axis=0) + PRIOR * met)
    all_fits = fit(drawn)
    points = ANCHOR + ELO * (best - best[anchor])
    spread = ANCHOR + ELO * (all_fits - all_fits[:, [anchor]])
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    return points, np.minimum(low, points), np.maximum(high, points)
