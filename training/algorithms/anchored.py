"""PPO near an anchor: self-play that always imitates the game's heuristic a little.

Copies that learn together agree on meanings that nobody else knows, most of all where words are for free. With
a constant weight of the cross-entropy with the heuristic's choice, words keep the meaning that strangers give
them: regularised self-play as in piKL (arXiv 2112.07544), with another divergence.
"""

from __future__ import annotations

from polytrix.training.trials.runs import Learner, carry_out
from polytrix.training.trials.trial import Trial

WEIGHT = 0.1
"""Of imitation. Half of it was too little in Estimatrix Spectrum."""


def train(trial: Trial) -> None:
    """Learn by PPO in self-play, and imitate the greedy policy."""
    carry_out(trial, Learner(trial, entropy=0.01, imitation=WEIGHT, imitation_until=0.0))
