"""PPO: a policy gradient with a clipped probability ratio (Schulman et al., arXiv 1707.06347, eq. 7 and 9)."""

from __future__ import annotations

from polytrix.training.trials.runs import Learner
from polytrix.training.trials.trial import Trial


def train(trial: Trial) -> None:
    """Learn by PPO in self-play, with an entropy bonus."""
    learner = Learner(trial, entropy=0.01)
    trial.train(learner, learner.warm_up)
