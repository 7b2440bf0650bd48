"""RLlib's PPO as an algorithm of the benchmark: a trial, killed and continued."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))

import polytrix
import trial_runs
from algorithms import rllib
from polytrix.agents import load
from trials import Budget, Trial

pytestmark = pytest.mark.timeout(900)

GAME = polytrix.find("estimatrix")
OPTIONS = {**GAME.options.defaults}


def trial_in(folder: Path) -> Trial:
    budget = Budget(decisions=2000)
    return Trial(GAME, OPTIONS, 1, budget, folder, points=2, checkpoint_seconds=0.0)


def test_a_killed_trial_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"num_envs": 16, "num_steps": 24, "batch_size": 128, "layers": (16,)}.items():
        monkeypatch.setitem(trial_runs.SHARED, name, value)
    trial = trial_in(tmp_path)

    def killed() -> None:
        if trial.done > 0.4:
            raise KeyboardInterrupt

    trial.watch = killed
    with pytest.raises(KeyboardInterrupt):
        rllib.train(trial)
    again = trial_in(tmp_path)
    assert again.saved is not None and 0.1 < again.done < 0.9
    before = again.used.decisions
    rllib.train(again)
    assert again.finished and again.curve[-1]["decisions"] >= 2000 > before
    first, last = (load(again.policy_file(point), GAME).layers[0][0] for point in (1, 2))
    assert not np.array_equal(first, last)
