"""Magnetic mirror descent (Sokota et al., arXiv 2206.05825, eq. 10).

The new policy maximises its advantages, less alpha times the KL divergence from a magnet, here the uniform
policy, and less 1 / eta times the KL divergence from the last policy. Nothing is clipped. With a constant
alpha it approaches the equilibrium of the game with that much entropy; so alpha decreases over the trial.
"""

from __future__ import annotations

from collections.abc import Sequence

from polytrix.training.learner.references import Reference
from polytrix.training.learner.rollout import LEARNER
from polytrix.training.shared.scripts import faded
from polytrix.training.trials import runs
from polytrix.training.trials.trial import Trial

ALPHA = 0.02
ETA = 10 / 3


def train(trial: Trial) -> None:
    """Learn by magnetic mirror descent in self-play."""
    learner = Learner(trial, entropy=0.0)
    trial.train(learner, learner.warm_up)


class Learner(runs.Learner):
    """PPO without clipping, near the last policy and the uniform one."""

    clip_range = 1e6

    def references(self, done: float) -> Sequence[Reference]:
        return [(1 / ETA, self.networks[LEARNER]), (faded(ALPHA, 1.0, done), None)]
