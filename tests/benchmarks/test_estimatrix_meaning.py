"""The measures of the studies of Estimatrix Spectrum: bits, dice by role, and payoffs of a single seat."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "studies"))

from estimatrix_meaning import ROLES, answers, bits
from estimatrix_readings import compare

from polytrix.agents import resolve
from polytrix.games.estimatrix import GAME

COUNT = 20_000


def test_bits_of_a_code_without_loss_and_of_noise() -> None:
    rng = np.random.default_rng(0)
    ban, hint = rng.integers(0, 6, COUNT), rng.integers(0, 48, COUNT)
    assert 1.94 < bits(ban, hint, hint % 4, rng) < 2  # less what the shuffled pairs seem to tell, 0.03
    assert bits(ban, hint, rng.integers(0, 6, COUNT), rng) == pytest.approx(0, abs=0.01)


def test_what_the_ban_tells_does_not_count() -> None:
    rng = np.random.default_rng(1)
    ban = rng.integers(0, 6, COUNT)
    assert bits(ban, ban, (ban + 1) % 6, rng) == pytest.approx(0, abs=0.01)


def test_dice_by_role() -> None:
    """Literal seats answer their own reading: a hint determines most dice, but nobody sets a banned colour."""
    dice = answers(resolve("literal", GAME), 60, 4, "lexicon")
    turns = len(dice["Kvanter"][0])
    assert [len(dice[role][0]) for role in ROLES] == [turns, 2 * turns, turns]
    for ban, hint, colour in dice.values():
        assert (colour != ban).all() and set(hint) <= set(range(48)) and set(colour) == set(range(6))


def test_equal_seats_have_nothing_between_them() -> None:
    result = compare("greedy", "greedy", 1000, players=4)
    low, high = result.payoff_interval
    assert low < 0 < high and high - low < 0.15
