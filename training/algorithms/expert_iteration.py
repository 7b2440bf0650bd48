"""Expert iteration (Anthony et al., arXiv 1705.08439): a search that the network guides teaches the network.

The search finds a better policy than the network's (the expert). The network imitates it and learns the payoffs
(the apprentice), and so guides a better search. The search is that of `training/expert.py`, which knows hidden
information and any number of seats. The better policy is the network's with each action's logit moved by the
advantage that the search has found: one step of mirror descent (Grill et al., arXiv 2007.12509).

A search costs as much as dozens of decisions of the network, and teaches nothing where nobody wins. So PPO has
the first part of the budget. The result is the network alone, without a search.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

import torch

from polytrix.agents import NetworkPolicy, Policy
from polytrix.training import expert
from polytrix.training.learner.network import Network
from polytrix.training.learner.tables import LEARNER
from polytrix.training.shared.self_play import SelfPlay, Window
from polytrix.training.trials.runs import SHARED, PolicyGradient, TrialRun, carry_out, go_on, settings_for
from polytrix.training.trials.trial import Trial

PPO = 0.5
"""Fraction of the budget that PPO has."""
ENTROPY = 0.01
"""Weight of the entropy bonus of PPO."""


def train(trial: Trial, **settings: Any) -> None:
    """Learn by PPO in self-play, then by expert iteration.

    Args:
        trial: what is to be learned.
        settings: settings of `fast_ppo.py` for PPO that differ from those of all algorithms.
    """
    with closing(Run(trial)) as run:
        if not run.resumed:
            with closing(PolicyGradient(trial, **{"entropy": ENTROPY, **settings})) as first:
                while trial.done < PPO:
                    if not go_on(trial, first):
                        return
                    first.iterate()
            run.begin(first.networks[LEARNER], first.progress.steps)
        carry_out(trial, run)


class Run(TrialRun, expert.Run):
    """A run of `training/expert.py` whose budget is that of a trial."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        super().__init__(
            settings_for(
                trial,
                expert.Settings,
                out=trial.folder / "expert",
                threads=1,
                network="",
                layers=SHARED["layers"],
                window=100_000,
                learning_rate=SHARED["learning_rate"],
            )
        )
        self.warm_up()

    def warm_up(self) -> None:
        """Compile all that the run needs."""
        settings, policy = replace(self.settings, num_envs=8), self.policy_of(self.network)
        SelfPlay(self.game, self.options, settings, 8, 0).play(policy, 1)
        window = Window(self.game, 8)
        window.decisions.num_legal[:] = 1
        expert.gradient(self.network, window, torch.arange(8), self.players, 1.0, 8)

    def begin(self, network: Network, decisions: int) -> None:
        """Begin with the policy of a network that has made some decisions. The values begin with 0."""
        policy = NetworkPolicy(self.game, network.exported(), "relu")
        self.network.load(policy)
        self.progress.steps = decisions

    def learner(self) -> Policy:
        return self.policy_of(self.network)
