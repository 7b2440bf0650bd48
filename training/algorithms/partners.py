"""PPO among partners: one seat of each game learns, and a heuristic or one of its flawed relatives has the others.

Copies that learn together agree on meanings that nobody else knows, most of all where words are for free. Nobody
learns here with copies, so words keep the meaning that partners give them, and no flaw of one partner is all
that there is to exploit. The bots that are kept for measuring are not among the partners.
"""

from __future__ import annotations

from polytrix.agents.population import UNSEEN
from polytrix.training.trials.runs import Learner, carry_out
from polytrix.training.trials.trial import Trial


def train(trial: Trial) -> None:
    """Learn by PPO in one seat, and at first imitate the greedy policy."""
    seen = [name for name in trial.game.built_in_policies if not name.startswith(UNSEEN)]
    partners = tuple(name for name in seen if name != "random")
    imitation = {"imitation": 1.0, "imitation_until": 0.15}
    carry_out(trial, Learner(trial, entropy=0.01, partners=partners, share_partners=1.0, **imitation))
