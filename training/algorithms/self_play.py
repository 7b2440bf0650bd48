"""Policy gradients in self-play: the loop of `fast_ppo.py` as an algorithm of the benchmark.

All of them learn with the same settings in every game. In the first half of a trial, shaping by the game's
potential is added to payoffs and fades, since nobody wins the first games of some. There is no imitation, and
no heuristic among the opponents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import fast_ppo
import runs
from trials import Trial

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
    "shaping_until": 0.5,
}
"""Settings of all algorithms that learn by `fast_ppo.py`."""


class Run(fast_ppo.Run):
    """A run whose budget is that of a trial.

    Args:
        trial: what is to be learned.
        settings: settings of `fast_ppo.py` that differ from `SHARED`.
    """

    def __init__(self, trial: Trial, **settings: Any) -> None:
        self.trial = trial
        given = {**SHARED, **settings, "options": dict(trial.options)}
        super().__init__(
            fast_ppo.Settings(
                trial.game.name, out=trial.folder / "run", seed=trial.seed, device="cpu", threads=1, **given
            )
        )
        if trial.saved is not None:
            self.progress = runs.Progress(**trial.saved["progress"])
            self.load_state(trial.saved)
        self.warm_up()

    @property
    def done(self) -> float:
        return self.trial.done

    def state(self) -> dict[str, Any]:
        return {"progress": asdict(self.progress), **super().state()}

    def load_state(self, state: Mapping[str, Any]) -> None:
        super().load_state({name: value for name, value in state.items() if name != "progress"})


def train(trial: Trial, **settings: Any) -> None:
    """Learn by policy gradients with these settings of `fast_ppo.py`, until the trial ends."""
    carry_out(trial, Run(trial, **settings))


def carry_out(trial: Trial, run: runs.Run) -> None:
    """Iterate until the trial ends."""
    while trial.goes_on(run.progress.steps, run.learner, run.state):
        run.iterate()
    run.close()
