"""Expert iteration (Anthony et al., arXiv 1705.08439): a search that the network guides teaches the network.

The search finds a better policy than the network's (the expert). The network imitates it and learns the payoffs
(the apprentice), and so guides a better search. The search is that of `training/expert.py`, which knows hidden
information and any number of seats. The better policy is the network's with each action's logit moved by the
advantage that the search has found: one step of mirror descent (Grill et al., arXiv 2007.12509).

A search costs as much as dozens of decisions of the network, and teaches nothing where nobody wins. So PPO has
the first part of the budget. The result is the network alone, without a search.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import torch

import expert
import runs
from algorithms import self_play
from network import Network
from polytrix.agents import NetworkPolicy, Policy
from self_play import SelfPlay, Window
from tables import LEARNER
from trials import Trial

EXPERT = "expert"
PPO = 0.5
"""Fraction of the budget that PPO has."""


def train(trial: Trial) -> None:
    """Learn by PPO in self-play, then by expert iteration."""
    run = Run(trial)
    if trial.saved is None or EXPERT not in trial.saved:
        first = self_play.Run(trial, entropy=0.01)
        while trial.done < PPO:
            if not trial.goes_on(first.progress.steps, first.learner, first.state):
                return
            first.iterate()
        first.close()
        run.begin(first.networks[LEARNER], first.progress.steps)
    self_play.carry_out(trial, run)


class Run(expert.Run):
    """A run of `training/expert.py` whose budget is that of a trial."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        super().__init__(
            expert.Settings(
                trial.game.name,
                out=trial.folder / "expert",
                seed=trial.seed,
                options=dict(trial.options),
                threads=1,
                network="",
                layers=self_play.SHARED["layers"],
                window=100_000,
                learning_rate=self_play.SHARED["learning_rate"],
            )
        )
        self.warm_up()

    @property
    def done(self) -> float:
        return self.trial.done

    def restore(self) -> None:
        """Continue from the trial's checkpoint, with new games."""
        saved = self.trial.saved
        if saved is not None and EXPERT in saved:
            self.progress = runs.Progress(**saved["progress"])
            self.load_state(saved[EXPERT])

    def state(self) -> dict[str, Any]:
        return {"progress": asdict(self.progress), EXPERT: super().state()}

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
