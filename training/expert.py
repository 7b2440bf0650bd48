"""Train a network by expert iteration: a search that it guides plays against itself, and teaches it.

    python training/values.py resistor policy.npz          (gives a network values, if it has none)
    python training/expert.py resistor --network policy.npz

The search finds values of the actions. Those that are better than the position become more probable in the
network's policy (see `polytrix.core.search.teaching`), and its values learn the payoffs. A better network makes
a better search: one that plays better, and is learned from again. The values of later decisions are part of
what the values learn, since payoffs alone are noisy.

From time to time the new network plays against the best one so far on new deals, each guiding a search, until
a sequential test tells which is better. If the new one is, it becomes the best one, which is evaluated and
saved.

In this file: settings, the learner, and the run (`main`). `shared/self_play.py` plays,
`learner/network.py` is the network, `learner/supervised.py` teaches it, `shared/` has what all training scripts
share. All cores work.

The run can be stopped at any time (Ctrl-C, kill -9). The same command continues from the last checkpoint, with
new games. The network is `policy.npz` in the run's folder: `search:200,network=PATH` is the search.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np
import torch

from polytrix.agents import GuidedSearchPolicy, Policy
from polytrix.agents.guided import NOTED
from polytrix.arena import Contestant, Tournament, sprt
from polytrix.arena.records import Records
from polytrix.core.game import Game
from polytrix.training.learner.network import Network
from polytrix.training.learner.supervised import Supervised, SupervisedSettings
from polytrix.training.shared.arguments import (
    Amount,
    Count,
    Positive,
    Sizes,
    Weight,
    network_with_values,
    settings_from,
)
from polytrix.training.shared.runs import Clock, MakePolicy, ends_in_words
from polytrix.training.shared.scripts import ScriptRun
from polytrix.training.shared.self_play import Decisions, SelfPlay, SelfPlaySettings

GATE_SEED = 1 << 18
"""Seed of the tournament in which networks are first compared; each comparison has new deals."""
GATE_ELO = -20.0, 20.0
"""What the sequential test tells apart. Undecided, the likelier one counts."""


@dataclass(frozen=True)
class Settings(SelfPlaySettings, SupervisedSettings):
    """Settings of a run."""

    minutes: Positive = 60.0
    checkpoint_seconds: Weight = 300.0

    network: str = "ppo"
    """Where to begin: a saved network with values, or the name of a baseline; "": untrained."""
    layers: Sizes = (256, 256)
    """Sizes of the hidden layers of an untrained network."""
    num_steps: Count = 8
    """Decisions in each game between two updates."""
    reuse: Positive = 3.0
    batch_size: Count = 2048
    learning_rate: Positive = 5e-4
    gate_deals: Amount = 200
    """The most deals on which a new network is compared with the best one; 0: the last one is the best one."""
    gate_simulations: Count = 50
    """Simulations for each decision in these games."""


class Learner(Supervised):
    """A network that guides a search, and the search that teaches it.

    Args:
        settings: of the run.
        game, options: what is learned, and the values of all options.
        clock: measures `environment` and `learning`.

    Attributes:
        network, best: the network that learns, and the best one so far.
        gates: results of comparisons of the two.
    """

    settings: Settings

    def __init__(self, settings: Settings, game: Game, options: Mapping[str, Any], clock: Clock) -> None:
        given = network_with_values(settings.network, game) if settings.network else None
        layers = settings.layers if given is None else tuple(len(bias) for _, bias in given.layers[:-1])
        super().__init__(settings, game, options, clock, layers)
        if given is None:
            with torch.no_grad():
                self.network.value.weight.zero_()
        else:
            self.network.load(given)
            self.beliefs = given.beliefs  # stay as they are
            self.notes = {
                name: note for name, note in given.notes.items() if name.startswith(("belief_", NOTED))
            }
        self.best = Network(game, layers, values=game.max_players)
        self.best.load_state_dict(self.network.state_dict())
        self.gates: list[dict[str, float]] = []
        self.groups: list[SelfPlay] = []

    def new_groups(self) -> list[SelfPlay]:
        """Groups of games at their beginning, which no other run from the same seed has played."""
        begun = self.decisions * self.settings.num_envs
        sizes = [len(each) for each in np.array_split(np.arange(self.settings.num_envs), self.workers.threads)]
        return [
            SelfPlay(self.game, self.options, self.settings, games, begun + first)
            for games, first in zip(sizes, accumulate(sizes, initial=0), strict=False)
            if games
        ]

    # -- saving and resuming ---------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        used = self.window.used
        return {
            **super().state(),
            "best": self.best.state_dict(),
            "window": {name: array[:used] for name, array in self.window.decisions._asdict().items()},
            "added": self.window.added,
            "gates": self.gates,
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        used = len(state["window"]["num_legal"])
        return {
            **super().state_like(state),
            "window": {name: array[:used] for name, array in self.window.decisions._asdict().items()},
            "gates": [dict.fromkeys(("steps", "score", "deals", "ratio"), 0.0)] * len(state["gates"]),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`, with new games."""
        super().load_state(state)
        self.best.load_state_dict(state["best"])
        for network in (self.network, self.best):
            self.policy_of(network)  # weights so large that outputs may not be finite: a PolicyError
        self.window.load(Decisions(**state["window"]), state["added"])
        self.gates, self.groups = state["gates"], []

    # -- playing and learning --------------------------------------------------------------

    def iterate(self, done: float) -> dict[str, float]:
        """Some decisions in each game, and as much learning as they are worth.

        Args:
            done: fraction of the budget that is used.

        Returns:
            Figures to log.
        """
        self.groups = self.groups or self.new_groups()
        settings, policy = self.settings, self.policy_of(self.network)
        with self.clock("environment"):
            played = self.workers.map(lambda group: group.play(policy, settings.num_steps), self.groups)
        for decisions in played:
            self.window.add(decisions)
        new = sum(len(decisions.num_legal) for decisions in played)
        self.decisions += new
        lengths = [length for group in self.groups for length in group.lengths]
        figures = {"rollout/ep_len_mean": float(np.mean(lengths))} if lengths else {}
        for group in self.groups:
            group.lengths = []
        if new:
            with self.clock("learning"):
                figures |= self.learn(done, max(1, round(new * settings.reuse / settings.batch_size)))
        return figures

    # -- measuring --------------------------------------------------------------------------

    def policy(self) -> Policy:
        """The best network so far."""
        return self.policy_of(self.best)

    def compare(self) -> None:
        """Make the network the best one, if its search wins against that of the best one on new deals."""
        if self.settings.gate_deals:
            agents = [
                Contestant(name, name, partial(self.searching, network))
                for name, network in (("new", self.network), ("best", self.best))
            ]
            seed = GATE_SEED + len(self.gates)
            tournament = Tournament(
                self.game, self.options, agents, self.settings.gate_deals, seed, tables=["best"]
            )
            test = sprt(tournament, Records(self.game, self.options, seed), GATE_ELO)
            told = {"score": test.score, "deals": float(test.deals), "ratio": test.ratio}
            self.gates.append({"steps": float(self.decisions), **told})
            if test.ratio < 0:
                return
        self.best.load_state_dict(self.network.state_dict())

    def searching(self, network: Network) -> GuidedSearchPolicy:
        """The search that a network guides, as in `gate_deals`."""
        settings = self.settings
        return GuidedSearchPolicy(
            self.game,
            self.policy_of(network),
            settings.gate_simulations,
            exploration=settings.exploration,
            temperature=settings.temperature,
            considered=0,
            threads=self.workers.threads,
        )


class Run(ScriptRun):
    """A run whose networks are compared before each point of the curve."""

    compare: Callable[[], None]

    def add_point(self, policy: MakePolicy) -> None:
        self.compare()
        super().add_point(policy)


def main() -> None:
    """Train, evaluate and report."""
    settings = settings_from(Settings, sys.argv[1:], "expert", __doc__)
    with ends_in_words(), Run(settings, "expert.py", "expert-") as run:
        learner = Learner(settings, run.game, run.options, run.clock)
        run.compare = learner.compare
        run.train(learner)
        run.report(learner.policy, gates=learner.gates)


if __name__ == "__main__":
    main()
