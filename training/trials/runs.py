"""Our training scripts as algorithms of the benchmark: learners whose budget is that of a trial.

All of them learn with the same settings in every game. In the first half of a trial, shaping by the game's
potential is added to payoffs and fades, since nobody wins the first games of some.
"""

from __future__ import annotations

from typing import Any

from polytrix.training import fast_ppo
from polytrix.training.shared.scripts import faded
from polytrix.training.trials.trial import Trial

SHARED: dict[str, Any] = {
    "num_envs": 512,
    "num_steps": 32,
    "batch_size": 2048,
    "epochs": 2,
    "learning_rate": 1e-3,
    "layers": (128, 128),
    "gamma": 0.998,
    "gae_lambda": 0.95,
    "shaping": 0.5,
}
"""Settings of all algorithms that learn by policy gradients."""

SHAPING_UNTIL = 0.5
"""Fraction of the budget over which shaping decreases linearly to 0."""


class Learner(fast_ppo.Learner):
    """PPO of `fast_ppo.py` with a trial's settings. Shaping fades."""

    def __init__(self, trial: Trial, **settings: Any) -> None:
        given = {"device": "cpu", "threads": 1, **SHARED, **settings}
        own = fast_ppo.Settings(trial.game.name, seed=trial.seed, options=trial.given, **given)
        super().__init__(own, trial.game, trial.options, trial.clock)

    def shaping(self, done: float) -> float:
        return faded(self.settings.shaping, SHAPING_UNTIL, done)
