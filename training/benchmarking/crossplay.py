"""Cross-play: what agents win among copies, among other seeds of their algorithm, and among strangers.

*Won* is the share of games that an agent wins in one seat; agents that tie split the win.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from polytrix.agents import Policy
from polytrix.arena import Contestant, Tournament
from polytrix.arena.play import play_tables
from polytrix.arena.records import Records
from polytrix.arena.statistics import crossed_bootstrap, shares_of_the_top, shares_of_wins
from polytrix.arena.summary import collect, meetings_of
from polytrix.training.benchmarking.cells import Settings
from polytrix.training.benchmarking.measured import measured
from polytrix.training.shared.bars import Bar
from polytrix.training.shared.receipts import Table

OWN_SEED = 1 << 43
"""First seed of the deals for games of agents among themselves."""


def algorithm_of(trial: str) -> str:
    """The algorithm in the name of a trial.

    >>> algorithm_of("nash_pg-3")
    'nash_pg'
    """
    return trial.rpartition("-")[0]


def crossplay(
    tournament: Tournament, records: Records, trials: Collection[str], copies: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Who wins how much among whom, for JSON.

    Args:
        tournament: of all agents; its games have been played.
        records: the games.
        trials: the names of those agents that are seeds of algorithms.
        copies: games of agents among copies, by name; see `games_among_copies`.

    Returns:
        `agents`, the names; `won`, a row for each agent, with what it wins in one seat where the column's agent
        has all others; `strangers`, for each agent the 95% interval of the mean over all other agents;
        `algorithms`, for each algorithm that of the mean over its seeds among `strangers`, and `among` the
        seeds of each algorithm: among those of its own, too, each meets the others only.
    """
    names = tournament.names
    games = {line_up: collect(tournament, records, line_up) for line_up in tournament.line_ups}
    wins = np.zeros((len(names), len(names), tournament.deals))
    for (one, rest), met in meetings_of(games).items():
        wins[names.index(one), names.index(rest)] = met.wins / met.seats
    won = wins.mean(axis=2).tolist()
    for number, name in enumerate(names):
        won[number][number] = copies[name]["won"][0] if name in copies else None
    # a released network may be called like an algorithm
    families = [f"seeds of {algorithm_of(name)}" if name in trials else name for name in names]
    seeds = {
        algorithm: np.array([family == f"seeds of {algorithm}" for family in families])
        for algorithm in dict.fromkeys(map(algorithm_of, trials))
    }
    strangers, everybody = ~np.eye(len(names), dtype=bool), np.ones(len(names), bool)

    def interval(rows: Any, columns: Any) -> tuple[float, float] | None:
        pairs = np.outer(rows, columns) & strangers
        return crossed_bootstrap(wins, pairs, families, tournament.seed) if pairs.any() else None

    return {
        "agents": names,
        "won": won,
        "strangers": {name: interval(np.array(names) == name, everybody) for name in names},
        "algorithms": {
            algorithm: {
                "strangers": interval(rows, everybody),
                "among": {other: interval(rows, columns) for other, columns in seeds.items()},
            }
            for algorithm, rows in seeds.items()
        },
    }


def games_among_copies(
    table: Table, agents: Sequence[Contestant], settings: Settings
) -> dict[str, dict[str, Any]]:
    """Games in which an agent has all seats, by name; see `games_of`."""
    return {
        agent.name: games_of([agent], table, settings) for agent in Bar(agents, desc=f"{table.name} copies")
    }


def games_of_seeds(table: Table, trials: Sequence[Contestant], settings: Settings) -> dict[str, dict[str, Any]]:
    """Games in which the seeds of an algorithm have a seat each, as far as there are so many, by algorithm.

    With two players, and of one seed, there are none: seeds that meet in pairs do so in the ratings.
    """
    by_algorithm: dict[str, list[Contestant]] = {}
    for agent in trials:
        by_algorithm.setdefault(algorithm_of(agent.name), []).append(agent)
    return {
        algorithm: games_of(seeds, table, settings)
        for algorithm, seeds in Bar(by_algorithm.items(), desc=f"{table.name} mixed tables")
        if table.players > 2 and len(seeds) > 1
    }


def games_of(agents: Sequence[Contestant], table: Table, settings: Settings) -> dict[str, Any]:
    """What some agents do among themselves: see `among_themselves`."""
    marks = " ".join(agent.mark for agent in agents)
    found: dict[str, Any] = measured(
        table,
        settings,
        f"{marks} among themselves {settings.copies_deals}",
        lambda: among_themselves(
            table, [agent.make() for agent in agents], settings.copies_deals, settings.seed
        ),
    )
    return found


def among_themselves(table: Table, policies: Sequence[Policy], deals: int, seed: int) -> dict[str, Any]:
    """Games of some policies that sit down in turn, once from each of them on.

    Returns:
        `decided`, the share of the games with a single winner; `won`, by each policy in one of its seats; and
        `behaviour` of all seats, by figure the sum and the number of occasions.
    """
    first = np.arange(len(policies))[:, None]
    seating = (first + np.arange(table.players)) % len(policies)  # (tables, seats)
    rng = np.random.default_rng(seed)
    games = play_tables(table.game, table.options, policies, seating, OWN_SEED, deals, rng, behaviour=True)
    payoffs = games.payoffs
    wins = shares_of_wins(payoffs).mean(axis=0)  # (tables, seats)
    return {
        "decided": float(np.mean(shares_of_the_top(payoffs).max(axis=-1) == 1)),
        "won": [float(wins[seating == number].mean()) for number in range(len(policies))],
        "behaviour": {name: np.sum(both, axis=0).tolist() for name, both in games.behaviour.items()},
    }
