"""Unit tests of the drivers' parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.drivers import EXTERNAL, GREEDY, pick_best
from polytrix.core.simulator import Simulator
from polytrix.core.state import GENERATOR, OVER, Record, new_records
from tests.core.test_random import generator
from tests.toys import CALL, CALLABLE_FROM, LIMIT, SECRET


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
    beyond = np.array([*score, 9.0])  # scores past the last action are not read
    picked = np.bincount([pick_best(beyond, len(score), lot) for _ in range(throws)], minlength=len(beyond))
    assert np.flatnonzero(picked).tolist() == best
    expected = throws / len(best)
    assert np.abs(picked[best] - expected).max() <= 5 * np.sqrt(expected)


def test_no_lot_is_drawn_for_a_single_best() -> None:
    lot = generator(7)
    pick_best(np.array([1.0, 3.0, 2.0]), 3, lot)
    assert lot.counter == 0


def play(action: int) -> tuple[np.ndarray, Simulator]:
    """The rewards after an action one step before the end, and the simulator."""
    sim = Simulator(SECRET, 2, {"doubling": False}, seed=1, mode=Mode.PLAIN)
    sim.states["pile"], sim.states["secret"] = LIMIT - 1, [5, 0]
    sim.refresh()
    sim.step([action, action])
    return sim.reward.copy(), sim


def test_the_rewards_of_one_game_are_not_those_of_the_next() -> None:
    reward, sim = play(CALL)
    assert reward.tolist() == [[1, -1], [1, -1]]
    sim.restart([1])
    assert sim.reward.tolist() == [[1, -1], [0, 0]]


def height(s: Record, seat: int) -> float:
    return float(s.pile) + seat


def test_potentials_are_those_of_each_seat_while_the_game_goes_on() -> None:
    game = replace(SECRET, name="measured", potential=height)
    states, out = new_records(3, game.state), np.zeros((3, 2), np.float32)
    states["num_players"], states["pile"], states["mover"] = 2, [5, 6, 7], [0, OVER, 1]
    programs(game, Mode.PLAIN).potentials(states, np.arange(3), out)
    assert out.tolist() == [[5, 6], [0, 0], [7, 8]]


def test_a_built_in_policy_sees_what_its_seat_sees() -> None:
    """A shy caller that believed it held every number would call."""
    sim = Simulator(SECRET, 1, {"doubling": False}, seed=1, mode=Mode.PLAIN)
    sim.policy[:] = [EXTERNAL, GREEDY]
    sim.states["pile"], sim.states["secret"] = CALLABLE_FROM, [5, 0]
    sim.refresh()
    sim.step([0])
    assert sim.states["caller"].tolist() == [-1] and sim.mover.tolist() == [0]


def test_a_rollout_plays_one_game_after_the_other() -> None:
    """Games have at most 24 decisions: each adds something to the pile."""
    states, generators = Simulator(SECRET, 3, seed=1, mode=Mode.PLAIN).states, new_records(3, GENERATOR)
    ended = programs(SECRET, Mode.PLAIN).rollout(states, 100, np.zeros(4, np.int16), generators)
    assert 3 * 100 // 24 <= ended < 300
    assert (states["mover"] >= 0).all() and (states["pile"] < LIMIT).all()
