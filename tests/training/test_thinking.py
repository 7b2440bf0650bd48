"""The times of the leaderboard: CPU time of decisions."""

from __future__ import annotations

import time

import numpy as np
import pytest

from polytrix.training.shared import thinking
from polytrix.training.shared.thinking import milliseconds, positions
from tests.high import HIGH
from tests.toys import SECRET


def test_positions_have_a_choice_and_are_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "POSITIONS", 30)
    options = HIGH.options.validate({"players": 4})
    sim, again = positions(HIGH, options), positions(HIGH, options)
    assert sim.num_envs == 30
    assert (sim.num_legal > 1).all() and (sim.num_players == 4).all()
    assert len({state.tobytes() for state in sim.states}) > 20
    np.testing.assert_array_equal(sim.states, again.states)
    np.testing.assert_array_equal(sim.observation, again.observation)


def test_the_time_is_that_of_a_decision_in_one_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "POSITIONS", 10)
    monkeypatch.setattr(thinking, "SECONDS", 0.0)
    sim, asked = positions(SECRET, SECRET.options.defaults), []
    before = sim.states.copy()

    def slow(observation, mask, rng):
        asked.append(observation.copy())
        compiles = 0.5 if len(asked) == 1 else 0.0
        end = time.process_time() + 0.004 + compiles
        while time.process_time() < end:
            pass
        return mask.argmax(axis=1)

    assert 4 <= milliseconds(slow, sim) < 12
    np.testing.assert_array_equal(np.concatenate(asked[1:]), sim.observation)
    np.testing.assert_array_equal(sim.states, before)
