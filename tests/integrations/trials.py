"""Trials of the benchmark by other libraries' algorithms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.agents import load
from polytrix.training.shared.runs import Budget
from polytrix.training.trials.trial import Trial

DECISIONS = 2000
SMALL = {"num_envs": 16, "num_steps": 24, "batch_size": 128, "layers": (16,)}
"""Settings in place of those of `trial_runs.SHARED`."""


def check_that_a_killed_trial_goes_on(train: Callable[[Any], None], folder: Path) -> None:
    """Kill a trial in its middle, and continue it to its end."""
    game = polytrix.find("estimatrix")

    def trial_in_folder() -> Trial:
        budget = Budget(decisions=DECISIONS)
        return Trial(game, {**game.options.defaults}, 1, budget, folder, points=2, checkpoint_seconds=0.0)

    def killed() -> None:
        if trial.done > 0.4:
            raise KeyboardInterrupt

    trial = trial_in_folder()
    trial.watch = killed
    with pytest.raises(KeyboardInterrupt):
        train(trial)
    trial.close()
    again = trial_in_folder()
    assert again.saved is not None and 0.1 < again.done < 0.9
    before = again.used.decisions
    train(again)
    assert again.finished and again.curve[-1]["decisions"] >= DECISIONS > before
    first, last = (load(again.policy_file(point), game).layers[0][0] for point in (1, 2))
    assert not np.array_equal(first, last)
