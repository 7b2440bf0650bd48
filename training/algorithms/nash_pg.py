"""Nash policy gradient (arXiv 2510.18183): PPO with a KL divergence from a reference that is renewed.

With a fixed reference, self-play approaches the equilibrium of a game that is regularised towards it. That
equilibrium becomes the next reference, and the equilibria of these games approach one of the game itself,
with a weight of the divergence that never decreases.
"""

from __future__ import annotations

from polytrix.training.trials.runs import policy_gradient
from polytrix.training.trials.trial import Trial


def train(trial: Trial) -> None:
    """Learn by the Nash policy gradient in self-play."""
    policy_gradient(trial, entropy=0.0, kl_magnet=0.05, magnet_iterations=50)
