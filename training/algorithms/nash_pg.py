"""Nash policy gradient (arXiv 2510.18183): PPO with a KL divergence from a reference that is renewed.

With a fixed reference, self-play approaches the equilibrium of a game that is regularised towards it. That
equilibrium becomes the next reference, and the equilibria of these games approach one of the game itself,
with a weight of the divergence that never decreases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from polytrix.training.learner.references import Reference
from polytrix.training.learner.rollout import LEARNER
from polytrix.training.trials import runs
from polytrix.training.trials.trial import Trial

WEIGHT = 0.05
"""Of the divergence."""
RENEWED = 50
"""Iterations between two references."""


def train(trial: Trial) -> None:
    """Learn by the Nash policy gradient in self-play."""
    learner = Learner(trial, entropy=0.0)
    trial.train(learner, learner.warm_up)


class Learner(runs.Learner):
    """PPO near an earlier policy."""

    def __init__(self, trial: Trial, **settings: Any) -> None:
        super().__init__(trial, **settings)
        self.reference = self.copy_of_learner()

    def references(self, done: float) -> Sequence[Reference]:
        return [(WEIGHT, self.reference)]

    def iterate(self, done: float) -> dict[str, float]:
        figures = super().iterate(done)
        if self.iteration % RENEWED == 0:
            self.reference.load_state_dict(self.networks[LEARNER].state_dict())
        return figures

    def state(self) -> dict[str, Any]:
        return {**super().state(), "reference": self.reference.state_dict()}

    def load_state(self, state: Mapping[str, Any]) -> None:
        super().load_state(state)
        self.reference.load_state_dict(state["reference"])
