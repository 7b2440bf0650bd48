"""A league: frozen networks, what they get from each other, and training against the mixture hardest to beat.

    python training/league.py add my/league first runs/fast-quatrix
    python training/league.py match my/league
    python training/league.py solve my/league
    python training/league.py train my/league --cpu-minutes 60

`add` copies a saved network into the folder, an exploiter's of `best_response.py` like any other. `match` plays
the pairs that have not met. `solve` finds the mixture of agents against which the best of them gets the least.
`train` is `fast_ppo.py` with agents of the league in the place of past selves: in `--share-past` of the games
one seat learns, and an agent that is drawn from the mixture for this game plays the others.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import tyro
from rich.box import SIMPLE_HEAD
from scipy.optimize import linprog

import polytrix
from polytrix.agents import load
from polytrix.agents.resolve import network_file
from polytrix.arena import Tournament
from polytrix.arena.contestants import contestant
from polytrix.arena.records import Records
from polytrix.arena.statistics import Doubles
from polytrix.arena.summary import collect
from polytrix.cli.arena import play_with_a_bar
from polytrix.cli.arguments import read_options
from polytrix.cli.screen import out, row, table
from polytrix.core.files import whole_file, write_json
from polytrix.core.game import Game
from polytrix.training import fast_ppo
from polytrix.training.exploiters.agent import is_usable
from polytrix.training.learner.network import Network
from polytrix.training.learner.rollout import LEARNER, Rivals
from polytrix.training.shared.arguments import Share, network_named, settings_from
from polytrix.training.shared.runs import Clock, ends_in_words

LEAGUE, GAMES, MIXTURE = "league.json", "games.jsonl", "mixture.json"
"""Files of a league beside its agents: what is played, their games, and what `solve` has found."""

SHARP = 1e5
"""The logits of agents are multiplied by this: they play their most probable action, as in `match`."""


class League(NamedTuple):
    """The agents in a folder.

    Args:
        folder: of the league.
        game, options: what is played, and the values of all options.
        given: the options that are given.
    """

    folder: Path
    game: Game
    options: Mapping[str, Any]
    given: Mapping[str, Any]

    @property
    def agents(self) -> list[str]:
        """The names of the agents, whose networks are in the folder."""
        return sorted(file.stem for file in self.folder.glob("*.npz"))

    def file(self, name: str) -> Path:
        """The network of an agent."""
        return self.folder / f"{name}.npz"


def read(folder: Path) -> League:
    """The league in a folder.

    Raises:
        SystemExit: there is none.
    """
    file = folder / LEAGUE
    if not file.is_file():
        raise SystemExit(f"{folder} is no league: begin one with league.py add {folder} NAME FILE")
    told = json.loads(file.read_text(encoding="utf-8"))
    game, options = polytrix.find(told["environment"]).configured(told["options"])
    return League(folder, game, options, told["options"])


# -- the agents and their games ---------------------------------------------------------------


def add(
    folder: tyro.conf.Positional[Path],
    name: tyro.conf.Positional[str],
    source: tyro.conf.Positional[str],
    options: tuple[str, ...] = (),
) -> None:
    """Copy a saved network into a league. The first one begins the league, and says what is played in it.

    Args:
        folder: Folder of the league.
        name: What the agent is called there.
        source: A network's file, the folder of a run, or, unless it is the first, a released network's name.
        options: Options of the games, NAME=VALUE, for a new league; by default those of the run.
    """
    league = read(folder) if (folder / LEAGUE).is_file() else None
    if not re.fullmatch(r"[\w.-]+", name) or (league is not None and name in league.agents):
        raise SystemExit(f"name is {name!r}; allowed: letters, digits and ._-, and no name that is taken")
    found = network_file(source, league.game) if league else None
    file = found or Path(source, "policy.npz" if Path(source).is_dir() else "")
    network = load(file, league.game if league else None)
    if not is_usable(network):
        raise SystemExit(f"{source} is no network that can train: hidden layers, ReLU")
    if league is None:
        result, learned = file.with_name("result.json"), {}
        if file.stem == "policy" and result.is_file():
            learned = json.loads(result.read_text(encoding="utf-8")).get("settings", {}).get("options", {})
        game, values = read_options(network.game, options)
        given = {key: values.get(key, text) for key, _, text in (item.partition("=") for item in options)}
        league = League(folder, *game.configured(learned | given), learned | given)
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / LEAGUE, {"environment": league.game.id, "options": league.given})
    elif options:
        raise SystemExit(f"{folder} plays with {dict(league.given)}: leave out --options")
    with whole_file(league.file(name)) as copy:
        copy.write(file.read_bytes())
    print(f"{name} is one of {len(league.agents)} agents for {league.game.id} in {folder}")


def meetings(folder: Path, deals: int) -> tuple[Tournament, Records]:
    """All pairs of agents of a league, and the games that have been played; the caller closes them."""
    league = read(folder)
    agents = [contestant(league.game, f"{name}={league.file(name)}") for name in league.agents]
    tournament = Tournament(league.game, league.options, agents, deals)
    return tournament, Records(league.game, league.options, tournament.seed, folder / GAMES)


def match(folder: tyro.conf.Positional[Path], deals: int = 200) -> None:
    """Play the pairs of agents that have not met. If stopped, the same command continues.

    Args:
        folder: Folder of the league.
        deals: Deals of each pair, each played from all seats.
    """
    tournament, records = meetings(folder, deals)
    with closing(records):
        play_with_a_bar(tournament, records, threads=1)


# -- the mixture ------------------------------------------------------------------------------


def solve(folder: tyro.conf.Positional[Path], deals: int = 200) -> None:
    """Print what agents get from each other, and the mixture that is hardest to beat; write both as JSON.

    Args:
        folder: Folder of the league.
        deals: Deals of each pair that count: the first ones.
    """
    tournament, records = meetings(folder, deals)
    with closing(records):
        if not all(block in records for block in tournament.blocks()):
            raise SystemExit(f"some pairs have not met in {deals} deals: run league.py match {folder} first")
        payoffs = payoffs_of(tournament, records)
    weights = hardest_to_beat(payoffs)
    names, columns = tournament.names, [*tournament.names, "mixture", "weight"]
    title = "payoff of the row's agent where the column's has all other seats"
    shown = table("agent", *columns, right=columns, title=title)
    shown.box, shown.padding = SIMPLE_HEAD, (0, 1, 0, 0)  # more agents fit a terminal of 80 columns
    for name, own, weight in zip(names, payoffs, weights, strict=True):
        row(shown, name, *(f"{each:+.3f}" for each in (*own, own @ weights)), f"{weight:.0%}")
    out.print(shown)
    mixture = {name: float(weight) for name, weight in zip(names, weights, strict=True) if weight}
    found = {"deals": deals, "agents": names, "payoffs": payoffs.tolist(), "mixture": mixture}
    write_json(folder / MIXTURE, found)
    out.print(f"result: {folder / MIXTURE}", soft_wrap=True)


def payoffs_of(tournament: Tournament, records: Records) -> Doubles:
    """Mean payoffs (agents, agents) of a seat of the first agent, where the second has all others."""
    names, players = tournament.names, tournament.players
    found = np.zeros((len(names), len(names)))
    for one, rest in tournament.line_ups:
        payoffs = collect(tournament, records, (one, rest)).payoffs.mean(axis=0, dtype=np.float64)
        i, j = names.index(one), names.index(rest)
        found[i, j] = payoffs.trace() / players
        if players == 2:
            found[j, i] = -found[i, j]
    return found


def hardest_to_beat(payoffs: Doubles) -> Doubles:
    """The weights (n,) of the mixture from which the best agent gets the least: the x with the least max(A x).

    A linear program. With two players, where A is antisymmetric, it is the Nash equilibrium of the meta-game.

    Args:
        payoffs: (n, n) A, of the row's agent among the column's.

    >>> hardest_to_beat(np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    n = len(payoffs)
    solved = linprog(
        [0.0] * n + [1.0],
        A_ub=np.hstack([payoffs, -np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=[[1.0] * n + [0.0]],
        b_eq=[1.0],
        bounds=[(0.0, None)] * n + [(None, None)],
    )
    found = solved.x[:n].round(6)
    return np.asarray(found / found.sum())


# -- training ---------------------------------------------------------------------------------

INSTEAD: dict[str, Any] = {
    "share_random": 0.0, "share_greedy": 0.0, "share_past": 0.5, "share_partners": 0.0, "partners": (),
    "copies": 0.0, "imitation": 0.0,
}  # fmt: skip
"""Settings that are not those of self-play: the league has the opponents."""


@dataclass(frozen=True)
class Settings(fast_ppo.Settings):
    """Settings of a training against the mixture; `train FOLDER --help` explains them."""

    league: tyro.conf.Positional[str] = ""
    """Folder of the league."""
    share_past: Share = 0.5
    """Fraction of the games in which one seat learns and an agent of the league plays the others."""
    against: tyro.conf.Suppress[dict[str, float]] = field(default_factory=dict)
    """How often each agent plays in these games: the mixture."""


def read_settings(arguments: list[str]) -> Settings:
    """Settings for a league's folder, overridden by those that follow it."""
    league = read(Path(*arguments[:1]))
    file = league.folder / MIXTURE
    if not file.is_file():
        raise SystemExit(f"there is no {file}: run league.py solve {league.folder} first")
    instead = {
        **INSTEAD,
        "against": json.loads(file.read_text(encoding="utf-8"))["mixture"],
        "options": {**league.options, **league.given},
    }
    settings = settings_from(Settings, [league.game.name, *arguments], "fast_ppo", __doc__, instead)
    if settings.options != instead["options"]:
        raise SystemExit(f"{league.folder} plays with {dict(league.given)}: leave out --options")
    return settings


class Learner(fast_ppo.Learner):
    """PPO in self-play, where agents of a league take the place of past selves."""

    settings: Settings

    def __init__(self, settings: Settings, game: Game, options: Mapping[str, Any], clock: Clock) -> None:
        super().__init__(settings, game, options, clock)
        self.networks |= {number: self.agent(name) for number, name in enumerate(settings.against)}

    def agent(self, name: str) -> Network:
        """An agent of the league, which plays its most probable action."""
        network = self.network_like(network_named(f"{self.settings.league}/{name}.npz", self.game))
        with torch.no_grad():
            network.policy.weight.mul_(SHARP)
            network.policy.bias.mul_(SHARP)
        return network

    def rivals(self) -> Rivals:
        return range(len(self.settings.against)), [*self.settings.against.values()]

    def freeze(self) -> None:
        """The agents stay."""

    def state(self) -> dict[str, Any]:
        state = super().state()
        return {**state, "networks": {LEARNER: state["networks"][LEARNER]}}  # the agents are in the folder

    def load_state(self, state: Mapping[str, Any]) -> None:
        networks = {number: network.state_dict() for number, network in self.networks.items()}
        super().load_state({**state, "networks": networks | {LEARNER: state["networks"][LEARNER]}})


def main() -> None:
    """Carry out a command."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["train"] and arguments[1:] and not arguments[1].startswith("-"):
        return fast_ppo.carry_out(Learner, read_settings(arguments[1:]), "league.py", "league-")
    commands: dict[str, Any] = {"add": add, "match": match, "solve": solve, "train": Settings}
    with ends_in_words():
        tyro.extras.subcommand_cli_from_dict(commands, description=__doc__)


if __name__ == "__main__":
    main()
