"""Fixed line-ups and pools."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.agents import name_of
from polytrix.api.shared.opponents import LineUp, Pool
from polytrix.core.errors import PolicyError
from tests.api.last import LAST
from tests.toys import SECRET


def first(observation, mask, rng):
    return mask.argmax(axis=1)


def words(rows, others=1):
    return np.random.default_rng(0).integers(0, 1 << 64, (rows, others), dtype=np.uint64, endpoint=False)


def test_line_up_of_one_policy_fills_all_other_seats():
    assert [name_of(policy) for policy in LineUp(LAST, "random").policies] == ["random", "random"]


def test_line_up_by_seat():
    line_up = LineUp(LAST, ["random", first])
    assert [name_of(policy) for policy in line_up.policies] == ["random", "first"]
    assert line_up.draw(words(3, 2)).tolist() == [[0, 1]] * 3


def test_line_up_of_another_length():
    with pytest.raises(
        PolicyError, match="3 opponents are given; this game of polytrix/last-v0 has 2 other seats"
    ):
        LineUp(LAST, [first, first, first])


def test_pool_draws_by_weight():
    pool = Pool(SECRET, ["random", first, "greedy"], [1, 0, 3])
    count = np.bincount(pool.draw(words(8000)).ravel(), minlength=3)
    assert count[1] == 0
    assert abs(count[0] - 2000) < 4 * np.sqrt(8000 * 3 / 16)


def test_pool_without_weights_is_even():
    count = np.bincount(Pool(LAST, ["random", first]).draw(words(4000, 2)).ravel())
    assert abs(count[0] - 4000) < 4 * np.sqrt(8000 / 4)


def test_pool_never_draws_beyond_its_last_weight():
    extreme = np.array([[0], [(1 << 64) - 1]], np.uint64)
    assert Pool(SECRET, ["random", first, "greedy"], [1, 1, 0]).draw(extreme).ravel().tolist() == [0, 1]


@pytest.mark.parametrize("pool", [[], "random", None])
def test_no_pool(pool):
    with pytest.raises(PolicyError, match="list of at least one policy"):
        Pool(SECRET, pool)


def test_names_of_a_pool_differ():
    with pytest.raises(PolicyError, match="called random, random; give each a `name`"):
        Pool(SECRET, ["random", "random"])


@pytest.mark.parametrize("weights", [[1], [1, -1], [0, 0], [1, float("nan")]])
def test_weights_that_are_none(weights):
    with pytest.raises(ValueError, match="2 numbers, none negative"):
        Pool(SECRET, ["random", "greedy"], weights)
