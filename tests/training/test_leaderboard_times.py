"""The times of the leaderboard: CPU time of decisions, and minutes of training."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.high import HIGH
from tests.toys import SECRET

from polytrix.agents import resolve
from polytrix.core.game import Game
from polytrix.training.leaderboards import times as leaderboard_times
from polytrix.training.leaderboards.times import milliseconds, positions, training_minutes


def test_positions_have_a_choice_and_are_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard_times, "POSITIONS", 30)
    options = HIGH.options.validate({"players": 4})
    sim, again = positions(HIGH, options), positions(HIGH, options)
    assert sim.num_envs == 30
    assert (sim.num_legal > 1).all() and (sim.num_players == 4).all()
    assert len({state.tobytes() for state in sim.states}) > 20
    np.testing.assert_array_equal(sim.states, again.states)
    np.testing.assert_array_equal(sim.observation, again.observation)


def test_the_time_is_that_of_a_decision_in_one_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard_times, "POSITIONS", 10)
    monkeypatch.setattr(leaderboard_times, "SECONDS", 0.0)
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


def test_a_fast_agent_is_asked_for_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboard_times, "SECONDS", 0.05)
    sim, began = positions(SECRET, SECRET.options.defaults), time.process_time()
    assert 0 < milliseconds(resolve("random", SECRET), sim) < 5
    assert time.process_time() - began >= 0.05


def released(folder: Path, seconds: float, network: str | None = None) -> Path:
    """The record of a network that was trained for some seconds, and began with another one."""
    folder.mkdir()
    settings = {"options": {}} | ({} if network is None else {"network": network})
    record = {"environment": SECRET.id, "settings": settings, "training_seconds": seconds}
    (folder / "result.json").write_text(json.dumps(record))
    return folder


def test_minutes_include_those_of_the_beginning(tmp_path: Path, register: Callable[[Game], Game]) -> None:
    register(SECRET)
    ppo = released(tmp_path / "secret-v0", 600)
    four = released(tmp_path / "secret-v0-top4", 300)
    expert = released(tmp_path / "secret-v0-expert", 720, "ppo")
    expert_four = released(tmp_path / "secret-v0-top4-expert", 90, "ppo-top4")
    assert [training_minutes(each) for each in (ppo, four, expert, expert_four)] == [10, 5, 22, 6.5]
    later = released(tmp_path / "secret-v0-later-expert", 60, "expert")
    assert training_minutes(later) == 23


def test_minutes_from_an_untrained_network_on_are_its_own(
    tmp_path: Path, register: Callable[[Game], Game]
) -> None:
    register(SECRET)
    assert training_minutes(released(tmp_path / "secret-v0-expert", 720, "")) == 12


@pytest.mark.parametrize("network", ["runs/fast-secret/policy.npz", "expert"])
def test_minutes_are_unknown_if_the_beginning_is(
    network: str, tmp_path: Path, register: Callable[[Game], Game]
) -> None:
    register(SECRET)
    released(tmp_path / "secret-v0", 600)
    assert training_minutes(released(tmp_path / "secret-v0-expert", 720, network)) is None
