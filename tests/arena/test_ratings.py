"""Ratings and their intervals against known results."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.arena.ratings import ANCHOR, ELO, fit, ratings
from polytrix.arena.statistics import (
    REPLICATES,
    bootstrap,
    bootstrap_weights,
    crossed_bootstrap,
    family_weights,
)


def pair(wins: np.ndarray, losses: np.ndarray):
    """Ratings of the first of two agents: point, low, high."""
    per_deal = np.zeros((len(wins), 2, 2))
    per_deal[:, 0, 1], per_deal[:, 1, 0] = wins, losses
    met = 1 - np.eye(2)
    found = ratings(per_deal, met, 1, bootstrap_weights(len(wins), 0), 0)
    return tuple(float(column[0]) for column in found)


def test_two_agents_have_the_odds_of_their_wins() -> None:
    wins = np.repeat([1.0, 0.0], [150, 50])
    point, low, high = pair(wins, 1 - wins)
    assert point == pytest.approx(ANCHOR + ELO * np.log(150.5 / 50.5))
    error = ELO * np.sqrt(1 / 150.5 + 1 / 50.5)
    assert low == pytest.approx(point - 1.96 * error, abs=0.25 * error)
    assert high == pytest.approx(point + 1.96 * error, abs=0.25 * error)


def test_games_of_one_deal_count_as_one_where_they_end_alike() -> None:
    """Doubling the games of each deal does not make intervals narrower."""
    wins = np.repeat([1.0, 0.0], [60, 40])
    _, low, high = pair(wins, 1 - wins)
    _, low_2, high_2 = pair(2 * wins, 2 - 2 * wins)
    assert high_2 - low_2 == pytest.approx(high - low, rel=0.05)


@pytest.mark.parametrize("seed", range(5))
def test_a_table_that_wins_all_loses_all_and_splits_all_is_rated(seed: int) -> None:
    """Spectral ranking does not converge for some of these."""
    deals, shares = 10, np.array([1.0, 0.0, 0.5])
    per_deal, met = np.zeros((deals, 4, 4)), np.zeros((4, 4))
    per_deal[:, 1:, 0], per_deal[:, 0, 1:] = 2 * shares, 2 - 2 * shares
    met[0, 1:] = met[1:, 0] = 1
    points, low, high = ratings(per_deal, met, 0, bootstrap_weights(deals, seed), seed)
    assert points[1:] == pytest.approx(ANCHOR + ELO * np.log([20.5 / 0.5, 0.5 / 20.5, 1]))
    assert (low <= points).all() and (points <= high).all() and np.isfinite([low, high]).all()


@pytest.mark.parametrize("rarest", [1e-9, 1e-3, 1])
def test_strengths_that_are_far_apart_are_exact(rarest: float) -> None:
    """In a chain of pairs, each pair has the odds of its own wins."""
    wins = np.diag([1000.0] * 5, 1) + np.diag([rarest] * 5, -1)
    assert fit(wins) == pytest.approx(-np.log(1000 / rarest) * np.arange(6))


def test_many_tables_are_fitted_at_once() -> None:
    wins = np.random.default_rng(0).integers(1, 100, (50, 4, 4)) * (1.0 - np.eye(4))
    strengths = fit(wins)
    assert strengths == pytest.approx(np.array([fit(each) for each in wins]))
    chances = 1 / (1 + np.exp(strengths[:, None, :] - strengths[:, :, None]))
    games = wins + wins.swapaxes(1, 2)
    assert (games * chances).sum(axis=2) == pytest.approx(wins.sum(axis=2)), "each wins as often as expected"


def test_three_agents_are_rated_through_each_other() -> None:
    rng = np.random.default_rng(0)
    strength = np.array([0.0, 1.0, 2.0])
    per_deal = np.zeros((4000, 3, 3))
    for i, j in ((0, 1), (1, 2)):  # 0 and 2 never meet
        won = rng.random(4000) < 1 / (1 + np.exp(strength[j] - strength[i]))
        per_deal[:, i, j], per_deal[:, j, i] = won, ~won
    met = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    points, low, high = ratings(per_deal, met, 0, bootstrap_weights(4000, 1), 1)
    expected = ANCHOR + ELO * strength
    assert (low <= expected).all() and (expected <= high).all()
    assert np.abs(points - expected).max() < 40


def test_bootstrapped_means_have_their_error() -> None:
    values = np.random.default_rng(0).normal(size=400)
    low, high = bootstrap([values], bootstrap_weights(400, 0))
    error = values.std() / 20
    assert (low, high) == pytest.approx((values.mean() - 1.96 * error, values.mean() + 1.96 * error), abs=0.02)


# -- other seeds, other partners, other deals ---------------------------------------------


@pytest.mark.parametrize("seeds", [3, 5, 20])
def test_the_mean_of_a_family_varies_as_that_of_other_samples_would(seeds: int) -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=seeds)
    weights = family_weights(["alone", *["family"] * seeds, "pair", "pair"], rng)
    assert weights.shape == (REPLICATES, seeds + 3)
    assert (weights[:, [0, -2, -1]] == 1).all()
    assert weights[:, 1:-2].mean(axis=1) == pytest.approx(np.ones(REPLICATES))
    assert (weights[:, 1:-2] @ values / seeds).var() == pytest.approx(values.var(ddof=1) / seeds, rel=0.15)


def test_where_only_deals_differ_only_deals_are_resampled() -> None:
    deals = np.random.default_rng(1).random(60)
    values, pairs = np.broadcast_to(deals, (4, 4, 60)), np.eye(4, k=1, dtype=bool)
    expected = bootstrap([deals], bootstrap_weights(60, 3))
    assert crossed_bootstrap(values, pairs, ["a"] * 4, 3) == pytest.approx(expected)


def test_pairs_that_do_not_count_say_nothing() -> None:
    values, pairs = np.random.default_rng(2).random((5, 5, 20)), np.zeros((5, 5), bool)
    pairs[0, 1:] = True
    known = crossed_bootstrap(values, pairs, [*"abbbb"], 0)
    values[~pairs] = 1000
    assert crossed_bootstrap(values, pairs, [*"abbbb"], 0) == known


def test_seeds_that_are_all_alike_vary_in_nothing() -> None:
    """Each wins among its own family, and nowhere else; how often it meets its family is no chance."""
    families = [*"aaaaabbb"]
    values = np.equal.outer(families, families)[..., None] * np.ones(10)
    pairs = ~np.eye(8, dtype=bool)
    pairs[5:] = False
    assert crossed_bootstrap(values, pairs, families, 0) == pytest.approx((4 / 7, 4 / 7))


def test_an_interval_over_seeds_holds_what_other_seeds_do_and_one_over_deals_alone_does_not() -> None:
    """Populations of five seeds a side that differ in strength; the truth is 0."""
    rng, held, by_deals = np.random.default_rng(3), 0, 0
    pairs, weights = np.zeros((10, 10), bool), bootstrap_weights(40, 0)
    pairs[:5, 5:] = True
    for _ in range(200):
        strength = rng.normal(size=10)
        values = strength[:, None, None] - strength[:, None] + rng.normal(size=(10, 10, 40))
        low, high = crossed_bootstrap(values, pairs, ["rows"] * 5 + ["columns"] * 5, 0)
        held += low <= 0 <= high
        low, high = bootstrap([values[i, j] for i, j in zip(*np.nonzero(pairs), strict=True)], weights)
        by_deals += low <= 0 <= high
    assert held > 170 and by_deals < 60
