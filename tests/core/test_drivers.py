"""The parts of the drivers that can be held against what they say, on their own."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.compiler import Mode
from polytrix.core.drivers import pick_best
from polytrix.core.programs import programs
from polytrix.core.state import CHANCE, OVER, new_records
from tests.core.test_random import generator
from tests.toys import SECRET


@pytest.mark.parametrize(
    ("score", "best"),
    [
        ([5.0, 1.0, 1.0], [0]),
        ([1.0, 5.0, 2.0], [1]),
        ([1.0, 2.0, 5.0], [2]),
        ([5.0, 1.0, 5.0], [0, 2]),
        ([3.0, 5.0, 2.0, 5.0, 1.0, 5.0], [1, 3, 5]),
        ([0.0, 0.0, 0.0, 0.0], [0, 1, 2, 3]),
        ([-1.0, -2.0, -1.0], [0, 2]),
    ],
)
def test_the_highest_score_is_picked_and_one_of_equals_by_lot(score: list[float], best: list[int]) -> None:
    lot, throws = generator(7), 600
    beyond = np.array([*score, 9.0])  # what stands behind the last action is not read
    picked = np.bincount([pick_best(beyond, len(score), lot) for _ in range(throws)], minlength=len(beyond))
    assert np.flatnonzero(picked).tolist() == best
    expected = throws / len(best)
    assert np.abs(picked[best] - expected).max() <= 5 * np.sqrt(expected)


def test_no_lot_is_drawn_for_a_single_best() -> None:
    lot = generator(7)
    pick_best(np.array([1.0, 3.0, 2.0]), 3, lot)
    assert lot.counter == 0


def test_there_are_outcomes_only_where_chance_is_to_move() -> None:
    states = new_records(4, SECRET.state)
    SECRET.write_options(states, SECRET.options.validate({"top": 4}))
    states["mover"] = [CHANCE, 0, 1, OVER]
    states["secret"] = -1
    count = np.full(4, 9)
    programs(SECRET, Mode.PLAIN).outcomes(states, count)
    assert count.tolist() == [4, 0, 0, 0]
