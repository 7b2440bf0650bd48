"""MaskablePPO of sb3-contrib: PPO (Schulman et al., arXiv 1707.06347) with illegal actions masked out.

`training/sb3_ppo.py` as an algorithm of the benchmark. The learner plays one seat of each game. Its past selves
play the others; until there is one, the random policy does.
"""

from __future__ import annotations

from polytrix.training import sb3_ppo
from polytrix.training.shared.scripts import faded
from polytrix.training.trials.runs import SHAPING_UNTIL, SHARED
from polytrix.training.trials.trial import Trial


def train(trial: Trial) -> None:
    """Learn by MaskablePPO against past selves."""
    learner = Learner(trial)
    trial.train(learner, learner.warm_up)


class Learner(sb3_ppo.Learner):
    """The learner of `training/sb3_ppo.py` with the settings of the benchmark."""

    def __init__(self, trial: Trial) -> None:
        sizes = {"num_envs": 128, "num_steps": 64, "batch_size": 1024, "epochs": 3}
        settings = sb3_ppo.Settings(
            trial.game.name,
            seed=trial.seed,
            options=trial.given,
            **{**SHARED, **sizes},
            weight_random=1.0,
            weight_greedy=0.0,
            freeze_every_iterations=5,
            pool_size=3,
        )
        super().__init__(settings, trial.game, trial.options, trial.clock)

    def iterate(self, done: float) -> dict[str, float]:
        self.env.batch.shaping = faded(SHARED["shaping"], SHAPING_UNTIL, done)
        return super().iterate(done)

    def refill_pool(self) -> None:
        """Past selves, once there is one, are the only opponents."""
        selves = self.selves(self.pool)
        self.env.set_opponents(selves or ["random"])
