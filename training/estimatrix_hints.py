"""Whom an agent's hints reach in Estimatrix Spectrum: the Estimators alone, or the Negater, too?

    python training/estimatrix_hints.py ppo greedy
    python training/estimatrix_hints.py mmd=runs/benchmark/estimatrix/mmd-1/policy-10.npz --others greedy

A hint is worth something if Estimators hit the Kvanter's colour and the Negater does not. The agent plays one
seat, and copies of it, or `--others`, the rest. The table tells how many dice hit if the agent is the Kvanter,
and if it answers another one. A guess among the five colours hits one time in five.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import tyro
from rich.console import Console
from rich.progress import track
from rich.table import Table

import polytrix
from polytrix.agents import Policy, ask_rows, begin_games
from polytrix.arena import contestants
from polytrix.arena.statistics import shares_of_the_top
from polytrix.core.errors import PolytrixError
from polytrix.core.simulator import Simulator
from polytrix.core.state import FloatArray, IntArray, RecordArray
from polytrix.training.shared.arguments import Count, Seed, check_ranges

GAME = polytrix.find("estimatrix")

HITS = ("its Estimators", "its Negater", "as Estimator", "as Negater")
CAPTION = "Games with a single winner; draws; turns of a game; and how many dice hit the Kvanter's colour"


@dataclass(frozen=True)
class Settings:
    """Settings of this script."""

    agents: tyro.conf.Positional[tuple[str, ...]]
    """Agents, as in the arena; saved networks play their most probable action."""
    others: str = ""
    """The agent on the other seats; by default copies of the agent."""
    games: Count = 400
    """Games of each agent."""
    seed: Seed = 1
    """Random seed."""
    players: Count = 4
    """Number of players, 3 to 6."""


class Played(NamedTuple):
    """Games, and the turns of all of them."""

    payoffs: FloatArray  # (games, players)
    dice: IntArray  # (turns, players)
    kvanter: IntArray  # (turns,) seat
    negater: IntArray  # (turns,) seat
    own: IntArray  # (turns,) the agent's seat


def main(settings: Settings) -> None:
    """Play and print a table."""
    if not settings.agents:
        raise SystemExit("name an agent or more, for example: python training/estimatrix_hints.py ppo greedy")
    _, options = GAME.configured({"players": settings.players})
    agents = contestants(GAME, settings.agents)
    others = contestants(GAME, [settings.others])[0] if settings.others else None
    among = f"among {others.name}" if others else "among copies"
    title = f"{GAME.title}: {settings.games} games {among}"
    table = Table(title=title, caption=CAPTION, box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("agent", no_wrap=True)
    for heading in (*("winner", "draw", "turns"), *HITS):
        table.add_column(heading, justify="right")
    for agent in track(agents, "playing"):
        found = played(options, agent.make(), (others or agent).make(), settings.games, settings.seed)
        table.add_row(agent.name, *told(found))
    Console().print(table)


def played(options: Mapping[str, Any], one: Policy, rest: Policy, games: int, seed: int) -> Played:
    """Games with `one` in one seat, which goes round from game to game, and `rest` in the others."""
    simulator = Simulator(GAME, games, options, seed=seed)
    rng, own = np.random.default_rng(seed), np.arange(games) % simulator.num_players
    turns: list[tuple[RecordArray, IntArray]] = []
    for policy in (one, rest):
        begin_games(policy, games)
    while not simulator.over.all():
        live = np.flatnonzero(~simulator.over)
        before, mine = simulator.states["turn"][live], simulator.mover[live] == own[live]
        for policy, asked in ((one, live[mine]), (rest, live[~mine])):
            if len(asked):
                simulator.step(ask_rows(policy, simulator, asked, rng), asked)
        resolved = live[(simulator.states["turn"][live] != before) | simulator.over[live]]
        turns.append((simulator.states[resolved], own[resolved]))
    players = int(simulator.num_players[0])
    states, seats = (np.concatenate(each) for each in zip(*turns, strict=True))
    return Played(
        simulator.reward[:, :players].copy(),
        states["last_die"][:, :players].astype(int),
        states["last_kvanter"].astype(int),
        states["last_negater"].astype(int),
        seats,
    )


def told(found: Played) -> list[str]:
    """The cells of a table: how games end, and the shares of dice that hit."""
    turns, top = np.arange(len(found.dice)), shares_of_the_top(found.payoffs)
    hit = found.dice == found.dice[turns, found.kvanter][:, None]
    by_negater = hit[turns, found.negater]
    estimates = np.ones_like(hit)
    estimates[turns, found.kvanter] = estimates[turns, found.negater] = False
    giving, own_hit = found.kvanter == found.own, hit[turns, found.own]
    return [
        f"{np.mean(top.max(axis=1) == 1):.0%}",
        f"{np.mean(top.min(axis=1) == top.max(axis=1)):.0%}",
        f"{len(turns) / len(top):.0f}",
        *(
            f"{np.mean(each):.0%}" if len(each) else "-"
            for each in (
                hit[giving][estimates[giving]],
                by_negater[giving],
                own_hit[estimates[turns, found.own]],
                own_hit[found.negater == found.own],
            )
        ),
    ]


if __name__ == "__main__":
    arguments = tyro.cli(Settings, description=__doc__)
    check_ranges(arguments)
    try:
        main(arguments)
    except PolytrixError as error:
        raise SystemExit(str(error)) from None
