"""Magnetic mirror descent (Sokota et al., arXiv 2206.05825, eq. 10).

The new policy maximises its advantages, less alpha times the KL divergence from a magnet, here the uniform
policy, and less 1 / eta times the KL divergence from the last policy. Nothing is clipped. With a constant
alpha it approaches the equilibrium of the game with that much entropy; so alpha decreases over the trial.
"""

from __future__ import annotations

from polytrix.training.trials.runs import policy_gradient
from polytrix.training.trials.trial import Trial

UNCLIPPED = 1e6


def train(trial: Trial) -> None:
    """Learn by magnetic mirror descent in self-play."""
    policy_gradient(
        trial,
        clip_range=UNCLIPPED,
        entropy=0.0,
        kl_magnet=0.02,
        kl_last=0.3,
        entropy_until=1.0,
    )
