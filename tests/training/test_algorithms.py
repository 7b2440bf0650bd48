"""Algorithms of the benchmark: each learns a toy, and computes what its paper says."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import polytrix
from polytrix.agents import load
from polytrix.training.algorithms import fsp
from polytrix.training.algorithms.fsp import Reservoir
from polytrix.training.learner.network import Network
from polytrix.training.learner.rollout import LEARNER
from polytrix.training.shared.evaluation import evaluate
from polytrix.training.shared.runs import Budget
from polytrix.training.trials import runs as trial_runs
from polytrix.training.trials.trial import Trial
from tests.high import HIGH

OPTIONS = {**HIGH.options.defaults}


@pytest.fixture(autouse=True)
def _small(known_toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks and numbers of games that are enough for the game High."""
    small = {"num_envs": 128, "batch_size": 512, "layers": (32,), "learning_rate": 3e-3}
    for name, value in small.items():
        monkeypatch.setitem(trial_runs.SHARED, name, value)
    monkeypatch.setattr(fsp, "RESERVOIR", 20_000)


def trial_of(folder: Path, decisions: int) -> Trial:
    return Trial(HIGH, OPTIONS, 3, Budget(decisions=decisions), folder, points=2)


@pytest.mark.parametrize("name", ["ppo", "partners", "mmd", "nash_pg", "fsp", "sb3"])
def test_a_toy_is_learned_in_seconds(name: str, tmp_path: Path) -> None:
    trial = trial_of(tmp_path, 50_000)
    importlib.import_module(f"polytrix.training.algorithms.{name}").train(trial)
    policy = load(trial.policy_file(2), HIGH, deterministic=True)
    assert evaluate(HIGH, policy, "random", 1000, OPTIONS).interval[0] > 0.6
    assert evaluate(HIGH, policy, "greedy", 1000, OPTIONS).interval[0] > 0.5


# -- fictitious self-play ----------------------------------------------------------------------


def decisions(numbers: np.ndarray[Any, Any]) -> dict[str, torch.Tensor]:
    """Decisions whose index of the chosen action is their number."""
    count = len(numbers)
    return {
        "observation": torch.zeros((count, HIGH.observations.size), dtype=torch.int8),
        "legal": torch.zeros((count, HIGH.max_legal), dtype=torch.int16),
        "count": torch.ones(count, dtype=torch.int32),
        "place": torch.from_numpy(numbers),
    }


def test_a_reservoir_is_a_uniform_sample() -> None:
    size, parts, times = 20, (7, 30, 1, 62), 2000
    held = np.zeros(sum(parts))
    for seed in range(times):
        reservoir = Reservoir(HIGH, size, seed)
        first = 0
        for part in parts:
            reservoir.add(decisions(np.arange(first, first + part)))
            first += part
        inside = reservoir.decisions["place"].numpy()
        assert len(set(inside.tolist())) == size
        held[inside] += 1
    expected = times * size / sum(parts)
    deviation = np.sqrt(expected * (1 - size / sum(parts)))
    assert held.sum() == times * size
    assert np.abs(held - expected).max() < 4.5 * deviation


def test_the_average_plays_all_seats_but_one(tmp_path: Path) -> None:
    learner = fsp.Learner(trial_of(tmp_path, 10_000))
    for _ in range(3):
        learner.iterate(0.0)
    (rollout,) = learner.rollouts
    assert ((rollout.player[:, :2] == LEARNER).sum(1) == 1).all()
    assert ((rollout.player[:, :2] == fsp.AVERAGE).sum(1) == 1).all()
    assert learner.reservoir.added == learner.decisions - rollout.samples.size


def test_the_average_comes_to_play_the_mixture_of_what_it_imitates(tmp_path: Path) -> None:
    run = fsp.Learner(trial_of(tmp_path, 10_000))
    chosen = np.repeat([0, 1, 2], [100, 300, 600])
    given = decisions(chosen)
    given["legal"][:] = torch.arange(3)
    given["count"][:] = 3
    run.reservoir.add(given)
    for group in run.imitator.param_groups:
        group["lr"] = 0.01
    for _ in range(200):
        run.imitate()
    average: Network = run.average
    played = average.log_probabilities(given["observation"][:1], given["legal"][:1], given["count"][:1]).exp()
    assert played[0].numpy() == pytest.approx([0.1, 0.3, 0.6], abs=0.03)


def test_runs_play_the_game_of_the_trial_with_its_data_files(tmp_path: Path) -> None:
    usual = polytrix.find("resistor")
    micro, options = usual.configured(usual.variants["micro"])
    trial = Trial(micro, options, 1, Budget(decisions=1000), tmp_path)
    assert usual.configured(trial.given) == (micro, options)
