"""Ratings and their intervals against known results."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.arena.ratings import ANCHOR, ELO, fit, ratings
from polytrix.arena.statistics import bootstrap, bootstrap_weights, shares_of_the_top, shares_of_wins


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


def test_a_draw_is_nobodys_win_and_everybodys_half() -> None:
    payoffs = np.zeros((1, 2), np.float32)
    assert shares_of_wins(payoffs).tolist() == [[0, 0]]
    assert shares_of_the_top(payoffs).tolist() == [[0.5, 0.5]]
