"""Train an exploiter of an agent: what can one win who knows how the agent plays?

    python training/best_response.py resistor expert --minutes 10
    python training/best_response.py pressure_matrix master --options.players 4

One seat of every game learns by PPO, as in `fast_ppo.py`. The agent plays all others, and does not change. Then
the exploiter's network gets values of its games against the agent, and guides a search in whose simulations the
agent plays the other seats (ISMCTS-BR: Timbers et al. 2020, arXiv 2004.09677). The network and the search play
fresh deals against the agent. What the better of them gains is a lower bound of what a best response gains.

The agent is anything that `polytrix arena` can name, except policies with a memory. A saved network plays its
most probable action, as in the arena, or samples with `--sample`. Where an agent searches, the network that
guides it, or the policy of its playouts, stands for it in simulations and during most of the training. The
search itself plays at the end of the training, and when the exploiters are measured.

In this file: settings, the learner and the run. In `exploiters/`, `agent.py` is the agent, and `gains.py`
measures and reports.

The run can be stopped at any time (Ctrl-C, kill -9). The same command continues from the last checkpoint.
`card.md` has the result, `result.json` all figures, and `policy.npz` is the exploiter's network.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import torch
import tyro

from polytrix.agents import GuidedSearchPolicy, NetworkPolicy, Policy, load, save_network
from polytrix.agents.guided import NOTED
from polytrix.arena.contestants import Contestant, contestant, spec_mark
from polytrix.core.errors import CheckpointError
from polytrix.core.game import Game
from polytrix.training import fast_ppo, values
from polytrix.training.exploiters import gains
from polytrix.training.exploiters.agent import Agent, agent_of, beginning
from polytrix.training.learner.network import Network
from polytrix.training.shared.arguments import (
    Count,
    Positive,
    Share,
    Weight,
    network_named,
    settings_from,
)
from polytrix.training.shared.reports import draw_curve, with_options, write_report
from polytrix.training.shared.runs import Clock, ends_in_words
from polytrix.training.shared.scripts import ScriptRun
from polytrix.training.shared.self_play import HeadSettings

CHOICE, FINAL = 1, 2
"""Seeds of the arena's deals: on which the best exploiter is chosen, and on which all are measured."""

BEST = "best"
"""A value of `--network`."""

INSTEAD: dict[str, Any] = {
    "minutes": 10.0, "final_games": 1000, "share_random": 0.0, "share_greedy": 0.0, "share_past": 0.0,
    "share_partners": 1.0, "partners": (), "copies": 0.0, "imitation": 0.0, "shaping": 0.0,
    "learning_rate": 3e-4, "entropy": 0.003,
}  # fmt: skip
"""Settings that are not those of self-play: the agent is in all games, only payoffs count, and the network is
trained already."""


@dataclass(frozen=True)
class Settings(fast_ppo.Settings):
    """Settings of a run."""

    agent: tyro.conf.Positional[str] = ""
    """The agent: a name, a search, the path of a saved network, or MODULE:NAME; as in `polytrix arena`."""
    sample: bool = False
    """The agent, a network, samples its actions instead of playing the most probable one."""
    network: str = BEST
    """Where the exploiter begins: "best" for the agent's network or the released "ppo", whichever gets more
    against the agent; a saved network, the name of a baseline, or "" for an untrained network."""
    temperature: Positive = 3.0
    """Of the policy with which the exploiter begins, unless it is untrained: above 1 it tries more than the
    network would, which may be too sure of its actions to see that others win more."""
    share_itself: Share = 0.3
    """Fraction of the training, at the end, in which an agent that searches plays itself."""
    value_minutes: Weight = 1.0
    """Minutes of games for the values of the exploiter's network, after training; 0: no search."""
    search_simulations: Count = 200
    """Simulations of the exploiter's search."""
    choice_games: Count = 400
    """Games in which each exploiter plays, so that one is chosen."""


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the game's settings file for `fast_ppo.py`, overridden by the command line."""
    settings = settings_from(Settings, arguments, "fast_ppo", __doc__, INSTEAD)
    if not settings.agent:
        raise SystemExit(f"the agent is missing, for example: best_response.py {settings.game} greedy")
    others = settings.share_random or settings.share_greedy or settings.share_past
    if others or settings.share_partners != 1 or settings.copies or settings.partners:
        raise SystemExit("partners and shares of games are for fast_ppo.py: here the agent plays")
    return settings


class Learner(fast_ppo.Learner):
    """PPO in one seat of each game, where the agent plays the others."""

    settings: Settings

    def __init__(
        self, settings: Settings, game: Game, options: Mapping[str, Any], clock: Clock, agent: Agent
    ) -> None:
        self.agent, self.against_itself = agent, False
        super().__init__(settings, game, options, clock)

    @cached_property
    def begun_with(self) -> NetworkPolicy | None:
        """The network with which the exploiter begins.

        Raises:
            SystemExit: it cannot be read, or is no network.
        """
        name = self.settings.network
        if name == BEST:
            return beginning(self.agent, self.options)
        return network_named(name, self.game) if name else None

    def new_network(self) -> Network:
        network = super().new_network()
        if self.begun_with is not None:
            with torch.no_grad():
                network.policy.weight.div_(self.settings.temperature)
                network.policy.bias.div_(self.settings.temperature)
        return network

    def new_partners(self) -> Sequence[Policy]:
        return [self.agent.fast()]

    def state(self) -> dict[str, Any]:
        return {**super().state(), "agent": self.agent.contestant.mark}

    def load_state(self, state: Mapping[str, Any]) -> None:
        if state["agent"] != self.agent.contestant.mark:
            raise CheckpointError(f"{self.agent.name} is another agent than before")
        super().load_state(state)

    def iterate(self, done: float) -> dict[str, float]:
        if self.agent.searches and not self.against_itself and done >= 1 - self.settings.share_itself:
            self.against_itself = True
            for rollout in self.rollouts:
                rollout.partners = [self.agent.contestant.make()]
        return super().iterate(done)


class Run(ScriptRun):
    """A run whose result is what exploiters gain against an agent."""

    settings: Settings
    figures = dict.fromkeys(("steps", "seconds", "cpu_seconds", "won", "payoff", "low", "high"), 0.0)

    def __init__(self, settings: Settings) -> None:
        slug = re.sub(r"[^A-Za-z0-9]+", "-", f"{settings.agent}{'-sampled' * settings.sample}").strip("-")
        super().__init__(settings, "best_response.py", f"exploiter-of-{slug}-")
        self.agent = agent_of(self.game, settings.agent, settings.sample)

    def measure(self, policy: Policy) -> dict[str, float]:
        result = self.against(policy, self.agent.contestant.make())
        self.log({"evaluation/won": result.rate, "evaluation/payoff": result.payoff})
        low, high = result.payoff_interval
        return {"won": result.rate, "payoff": result.payoff, "low": low, "high": high}

    def told(self, point: Mapping[str, float]) -> str:
        return f"payoff {point['payoff']:+.2f} against {self.agent.name}"

    def report_gains(self, learner: Learner) -> None:
        """Measure what exploiters gain; write and print the results."""
        self.end_curve(learner.policy)
        file = self.folder / "policy.npz"
        if not self.is_exported(file):
            self.export(file, learner.mean.exported(), learner.begun_with)
        exploiters, threads = self.exploiters(file), learner.workers.threads
        chosen = self.play(exploiters, CHOICE, self.settings.choice_games, threads)
        found = self.play(exploiters, FINAL, self.settings.final_games, threads)
        self.log({f"evaluation/gain_of_{each['exploiter'].partition(':')[0]}": each["gain"] for each in found})
        begun_with = learner.begun_with
        record = {
            **self.record(),
            "device": str(learner.device),
            "agent": self.agent.name,
            "agent_mark": self.agent.contestant.mark,
            "plays": self.agent.plays,
            "began_with": "an untrained network" if begun_with is None else begun_with.name,
            "gains": found,
            "chosen": max(chosen, key=lambda each: float(each["gain"]))["exploiter"],
        }
        title = f"{self.game.title}, {self.players} players: an exploiter against {self.agent.name}"
        told, label = {"payoff": "network of the exploiter"}, "mean payoff, with 95% interval"
        draw = partial(draw_curve, title=title, curve=self.curve, told=told, level=0.0, label=label)
        write_report(self.folder, record, gains.card(record), draw)
        print(self.command_again(file))

    def is_exported(self, file: Path) -> bool:
        """Whether the network has been written before, with its values if it gets some."""
        if not file.exists():
            return False
        found, wanted = load(file, self.game), bool(self.settings.value_minutes)
        return found.notes.get("steps") == self.used.decisions and (found.values is not None) == wanted

    def export(self, file: Path, layers: Sequence[tuple[Any, Any]], begun_with: NetworkPolicy | None) -> None:
        """Write the exploiter's network, with values of its games against the agent.

        Its search has the temperature that the network with which it began notes.
        """
        notes: dict[str, Any] = {"steps": self.used.decisions, "seconds": round(self.used.seconds)}
        notes["exploits"] = self.agent.name
        if begun_with is not None and NOTED in begun_with.notes:
            notes[NOTED] = begun_with.notes[NOTED]
        learned = None
        if self.settings.value_minutes:
            sampling = NetworkPolicy(self.game, layers, "relu")
            settings = HeadSettings(
                self.settings.game,
                minutes=self.settings.value_minutes,
                num_envs=self.settings.num_envs,
                seed=self.settings.seed,
            )
            played = values.played(self.game, sampling, settings, self.options, self.agent.fast())
            learned, explained = values.fitted(*played, settings, self.players)
            notes |= {"value_games": int(played[2].max()) + 1, "value_explained": round(explained, 3)}
        save_network(file, self.game, layers, "relu", notes, values=learned)

    def exploiters(self, file: Path) -> list[Contestant]:
        """The network and, if it has values, the search that it guides."""
        network = contestant(self.game, str(file))
        found = [Contestant("network", network.mark, network.make)]
        if self.settings.value_minutes:
            found.append(Contestant("search", spec_mark(self.search(file), ""), lambda: self.search(file)))
        return found

    def search(self, file: Path) -> GuidedSearchPolicy:
        """The search in whose simulations the agent plays the other seats."""
        network: Any = load(file, self.game)
        return GuidedSearchPolicy(self.game, network, self.settings.search_simulations, others=self.agent.model)

    def play(self, exploiters: list[Contestant], seed: int, games: int, threads: int) -> list[dict[str, Any]]:
        """What the exploiters gain in about so many games each."""
        deals, file = -(-games // self.players), self.folder / f"games-{seed}.jsonl"
        return gains.measured_gains(
            self.game, self.options, exploiters, self.agent.contestant, deals, seed, file, threads
        )

    def command_again(self, file: Path) -> str:
        """The command with which the arena plays the network against the agent."""
        command = f"polytrix arena {self.game.name} {self.settings.agent} {file}"
        return with_options(command, self.game.name, self.given)


def main() -> None:
    """Train, measure and report."""
    with ends_in_words(), Run(read_settings(sys.argv[1:])) as run:
        learner = Learner(run.settings, run.game, run.options, run.clock, run.agent)
        run.train(learner, learner.warm_up)
        run.report_gains(learner)


if __name__ == "__main__":
    main()
