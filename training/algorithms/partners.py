"""PPO among partners: in each game a heuristic or a relative with a flaw has seats, and the learner the others.

Copies that learn together agree on meanings that nobody else knows, most of all where words are for free.
With a partner at every table words keep the meaning that partners give them, and no partner's flaw is all that
there is to exploit. The bots that are kept for measuring are not among the partners.
"""

from __future__ import annotations

from polytrix.agents.population import UNSEEN
from polytrix.training.trials.runs import Learner
from polytrix.training.trials.trial import Trial


def train(trial: Trial) -> None:
    """Learn by PPO, and imitate the greedy policy, ever less until the end."""
    seen = [name for name in trial.game.built_in_policies if not name.startswith(UNSEEN)]
    partners = tuple(name for name in seen if name != "random")
    imitation = {"imitation": 0.2, "imitation_until": 1.0}
    among = {"partners": partners, "share_partners": 1.0, "copies": 0.3}
    learner = Learner(trial, entropy=0.01, **among, **imitation)
    trial.train(learner, learner.warm_up)
