"""TorchRL's PPO as an algorithm of the benchmark: a trial, killed and continued; and what it plays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torchrl", reason="needs the extra torchrl: make test-integrations")


import torch

import polytrix
from polytrix.core.simulator import Simulator
from polytrix.training.algorithms import torchrl as algorithm
from polytrix.training.shared.runs import Budget
from polytrix.training.trials import runs as trial_runs
from polytrix.training.trials.trial import Trial
from tests.integrations.trials import SMALL, check_that_a_killed_trial_goes_on

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SMALL.items():
        monkeypatch.setitem(trial_runs.SHARED, name, value)
    monkeypatch.setattr(algorithm, "NUM_ENVS", 16)
    monkeypatch.setattr(algorithm, "NUM_STEPS", 24)


def test_a_killed_trial_goes_on(tmp_path: Path) -> None:
    check_that_a_killed_trial_goes_on(algorithm.train, tmp_path)


def test_the_saved_policy_is_the_network_that_learned(tmp_path: Path) -> None:
    game = polytrix.find("estimatrix")
    trial = Trial(game, {**game.options.defaults}, 1, Budget(decisions=1), tmp_path)
    learner = algorithm.Learner(trial)
    learner.iterate(1.0)
    observation = Simulator(game, 8, trial.options, seed=1).observation
    with torch.no_grad():
        expected = learner.logits(torch.from_numpy(observation.copy())).numpy()
    assert np.allclose(learner.policy().logits(observation), expected, atol=1e-4)
    learner.collector.shutdown()
