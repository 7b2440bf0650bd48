"""Our training scripts as algorithms of the benchmark: runs whose budget is that of a trial.

All of them learn with the same settings in every game. In the first half of a trial, shaping by the game's
potential is added to payoffs and fades, since nobody wins the first games of some; with `dmc`, `rllib` and
`torchrl` it does not fade. There is no imitation, and no heuristic among the opponents.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from typing import Any, TypeVar

from polytrix.training import fast_ppo
from polytrix.training.shared import runs
from polytrix.training.shared.checkpoints import must_match
from polytrix.training.trials.trial import Trial

S = TypeVar("S", bound=runs.RunSettings)

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
"""Settings of all algorithms that learn by policy gradients."""


class TrialRun(runs.Run):
    """A run whose budget is that of a trial; the first base of a class, before the run of a script.

    Attributes:
        trial: what is to be learned.
        resumed: whether the run goes on from the trial's checkpoint.
    """

    trial: Trial
    resumed = False

    @property
    def done(self) -> float:
        return self.trial.done

    def restore(self) -> None:
        """Continue from the trial's checkpoint, if it is of a run of this script."""
        saved = self.trial.saved
        if saved is not None and saved["script"] == self.script:
            with must_match(self.trial.folder):
                self.go_on(saved["progress"], saved["run"])
            self.resumed = True


class PolicyGradient(TrialRun, fast_ppo.Run):
    """Policy gradients in self-play.

    Args:
        trial: what is to be learned.
        settings: settings of `fast_ppo.py` that differ from `SHARED`.
    """

    def __init__(self, trial: Trial, **settings: Any) -> None:
        self.trial = trial
        super().__init__(
            settings_for(trial, fast_ppo.Settings, device="cpu", threads=1, **{**SHARED, **settings})
        )
        self.warm_up()


def settings_for(trial: Trial, settings: Callable[..., S], **given: Any) -> S:
    """Settings of a script for a trial.

    Args:
        trial: what is to be learned.
        settings: the script's class of settings.
        given: other settings.
    """
    own = {"out": trial.folder / "run", "seed": trial.seed, "options": trial.given}
    return settings(trial.game.name, **{**own, **given})


def saved(run: runs.Run) -> dict[str, Any]:
    """What a trial saves of a run."""
    return {"script": run.script, "progress": asdict(run.progress), "run": run.state()}


def go_on(trial: Trial, run: runs.Run) -> bool:
    """Whether some of the trial's budget is left for a run. To be asked around each iteration."""
    return trial.goes_on(run.progress.steps, run.learner, lambda: saved(run))


def carry_out(trial: Trial, run: runs.Run) -> None:
    """Iterate until the trial ends."""
    with closing(run):
        while go_on(trial, run):
            run.iterate()


def policy_gradient(trial: Trial, **settings: Any) -> None:
    """Learn by policy gradients with these settings of `fast_ppo.py`, until the trial ends."""
    carry_out(trial, PolicyGradient(trial, **settings))
