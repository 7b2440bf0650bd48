"""Expert iteration (Anthony et al., arXiv 1705.08439): a search that the network guides teaches the network.

The search finds a better policy than the network's (the expert). The network imitates it and learns the payoffs
(the apprentice), and so guides a better search. The search is that of `training/expert.py`, which knows hidden
information and any number of seats. The better policy is the network's with each action's logit moved by the
advantage that the search has found: one step of mirror descent (Grill et al., arXiv 2007.12509).

A search costs as much as dozens of decisions of the network, and teaches nothing where nobody wins. So PPO has
the first part of the budget. The result is the network alone, without a search.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from polytrix.agents import NetworkPolicy, Policy
from polytrix.training import expert
from polytrix.training.learner.rollout import LEARNER
from polytrix.training.shared.self_play import SelfPlay, Window
from polytrix.training.trials import runs
from polytrix.training.trials.runs import SHARED, settings_for
from polytrix.training.trials.trial import Trial

PPO = 0.5
"""Fraction of the budget that PPO has."""
ENTROPY = 0.01
"""Weight of the entropy bonus of PPO."""


def train(trial: Trial) -> None:
    """Learn by PPO in self-play, then by expert iteration."""
    runs.carry_out(trial, Learner(trial))


class Learner:
    """PPO, then expert iteration, whose values begin with 0.

    Attributes:
        searches: whether the second part has begun.
    """

    def __init__(self, trial: Trial) -> None:
        game, options, clock = trial.game, trial.options, trial.clock
        self.ppo = runs.Learner(trial, entropy=ENTROPY)
        given = settings_for(
            trial,
            expert.Settings,
            threads=1,
            network="",
            layers=SHARED["layers"],
            window=100_000,
            learning_rate=SHARED["learning_rate"],
        )
        self.expert = expert.Learner(given, game, options, clock)
        self.searches = False

    @property
    def decisions(self) -> int:
        """Those of the seats that learn, so far."""
        return self.expert.decisions if self.searches else self.ppo.decisions

    def warm_up(self) -> None:
        """Compile all that the trial needs."""
        self.ppo.warm_up()
        learner = self.expert
        policy = learner.policy_of(learner.network)
        SelfPlay(learner.game, learner.options, learner.settings, 8, 0).play(policy, 1)
        window = Window(learner.game, 8)
        window.decisions.num_legal[:] = 1
        expert.gradient(learner.network, window, torch.arange(8), learner.players, 8)

    def iterate(self, done: float) -> dict[str, float]:
        """An iteration of the part that has its turn; figures to log."""
        if not self.searches and done >= PPO:
            self.searches = True
            self.expert.decisions = self.ppo.decisions
            layers = self.ppo.networks[LEARNER].exported()
            self.expert.network.load(NetworkPolicy(self.expert.game, layers, "relu"))
        return self.expert.iterate(done) if self.searches else self.ppo.iterate(done)

    def policy(self) -> Policy:
        """The network alone, without a search."""
        return self.expert.policy_of(self.expert.network) if self.searches else self.ppo.policy()

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        own = self.expert.state() if self.searches else self.ppo.state()
        return {"searches": self.searches, "part": own}

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        part = self.expert if state["searches"] is True else self.ppo
        return {"searches": False, "part": part.state_like(state["part"])}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`."""
        self.searches = state["searches"]
        (self.expert if self.searches else self.ppo).load_state(state["part"])
