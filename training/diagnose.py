"""Where a guided search still loses: by its network, by too few simulations, or by what is hidden.

    python training/diagnose.py resistor
    python training/diagnose.py pressure_matrix --network expert-players4 --options.players 4

Three experiments:

- In positions of the network's games, a search with many more simulations tells how much expected payoff the
  choices of each agent lose ("regret"). Where searches lose little, more simulations of the same network cannot
  make them much better; what is wrong in the network's values is wrong in the reference, too.
- How much of the payoffs' variance the values of the network and of the searches explain. If it hardly grows
  with the search, the rest is chance, or error that searches do not mend.
- Duels of searches that know the true world, which no agent may, against each other and against those that do
  not know it. They tell what hidden information costs, and whether thinking pays without it.

With more than two players the agent is one seat among greedy ones, as in its simulations.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
import tyro
from rich.console import Console
from rich.table import Table

import polytrix
from polytrix.agents import GuidedSearchPolicy, NetworkPolicy, Policy, ask_rows, resolve
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import FloatArray, IntArray, Record, RecordArray
from polytrix.training.shared.arguments import (
    Count,
    Seed,
    Sizes,
    given_options,
    network_with_values,
    settings_from,
)
from polytrix.training.shared.bars import Bar
from polytrix.training.shared.self_play import begin

FRESH_SEED = 1 << 43
"""First seed of the deals of duels."""

SURE = 1.96
"""Standard errors on each side of a 95% interval."""


@dataclass(frozen=True)
class Settings:
    """Settings of `diagnose.py`."""

    game: tyro.conf.Positional[str]
    """Name of the game, for example resistor."""
    network: str = "expert"
    """The network: the name of a baseline, or a file. It must have values."""
    simulations: Sizes = (50, 200, 800)
    """Simulations of the searches, two or more; the last two play duels."""
    reference: Count = 6400
    """Simulations of the searches that tell regret."""
    positions: Count = 400
    """Number of positions for regret and explained variance, each from a game of its own."""
    deals: Count = 200
    """Deals of each duel; each is played once from each seat."""
    threads: Count = 1
    """Number of threads."""
    seed: Seed = 1
    """Random seed."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game."""


class Positions(NamedTuple):
    """Positions with a choice, from games of their own."""

    states: RecordArray  # (n,)
    outcome: FloatArray  # (n,), the mover's payoff in the end
    choices: float  # decisions with a choice of a seat in a game, on average


Agent = Callable[[Simulator, IntArray, np.random.Generator], IntArray]
"""Chooses in some rows."""


def main(settings: Settings) -> None:
    """Run the experiments, and print their tables."""
    game, options = polytrix.find(settings.game).configured(given_options(settings))
    network = network_with_values(settings.network, game)

    def searching(simulations: int) -> GuidedSearchPolicy:
        return GuidedSearchPolicy(game, network, simulations, threads=settings.threads)

    searches, reference = [searching(each) for each in settings.simulations], searching(settings.reference)
    if len(searches) < 2:
        raise SystemExit(f"simulations are {settings.simulations}; allowed: two or more numbers")
    found = played(game, network, settings, options)
    console = Console()
    console.print(regret(game, found, options, [network, *searches], reference, settings))
    console.print(explained(game, found, options, network, [*searches, reference], settings))
    console.print(duels(game, options, searches, settings))


def played(game: Game, network: NetworkPolicy, settings: Settings, options: Mapping[str, Any]) -> Positions:
    """One position of each game of the network, at random, and how the game ended."""
    count, rng = settings.positions, np.random.default_rng(settings.seed)
    simulator = Simulator(game, count, options, seed=settings.seed)
    begin(simulator, np.arange(count), float(game.num_players(options) > 2), rng)
    states, seen = simulator.states.copy(), np.zeros(count, np.int64)
    while not simulator.over.all():
        rows = np.flatnonzero(~simulator.over)
        having = rows[simulator.num_legal[rows] > 1]
        seen[having] += 1
        taken = having[rng.random(len(having)) * seen[having] < 1]  # each is equally likely in the end
        states[taken] = simulator.states[taken]
        simulator.step(ask_rows(network, simulator, rows, rng), rows)
    rows = np.flatnonzero(seen > 0)
    outcome = simulator.reward[rows, states["mover"][rows]]
    seats = simulator.num_players[0] if game.num_players(options) == 2 else 1
    return Positions(states[rows], outcome, float(seen.mean() / seats))


def at(game: Game, states: RecordArray, options: Mapping[str, Any]) -> Simulator:
    """A simulator in these positions."""
    simulator = Simulator(game, len(states), options)
    simulator.states[:] = states
    simulator.refresh()
    return simulator


def regret(
    game: Game,
    positions: Positions,
    options: Mapping[str, Any],
    agents: list[Policy],
    reference: GuidedSearchPolicy,
    settings: Settings,
) -> Table:
    """How much expected payoff the agents' choices lose, as two reference searches see it.

    One tells which action is best, the other one how good actions are: so no action is best by luck.
    """
    simulator = at(game, positions.states, options)
    rows = np.arange(len(positions.states))
    first, second, third = (np.random.default_rng([settings.seed, each]) for each in range(3))
    print(f"two searches with {settings.reference:,} simulations in {len(rows)} positions", file=sys.stderr)
    best = ask_rows(reference, simulator, rows, first)
    value = reference.reasons_at(simulator.states, second)["value"]
    table = Table("agent", "as the reference", "regret", "a game", title=f"{game.title}: regret")
    for agent in agents:
        actions = ask_rows(agent, simulator, rows, third)
        lost = value[rows, best] - value[rows, actions]
        lost = lost[~np.isnan(lost)]  # the second reference search has not tried an action
        mean, error = lost.mean(), SURE * lost.std(ddof=1) / math.sqrt(len(lost))
        table.add_row(
            label(agent),
            f"{(actions == best).mean():.1%}",
            f"{mean:+.4f} ± {error:.4f}",
            f"{mean * positions.choices:+.3f} ± {error * positions.choices:.3f}",
        )
    table.caption = f"{len(rows)} positions; {positions.choices:.1f} decisions with a choice in a seat's game"
    return table


def explained(
    game: Game,
    positions: Positions,
    options: Mapping[str, Any],
    network: NetworkPolicy,
    searches: list[GuidedSearchPolicy],
    settings: Settings,
) -> Table:
    """How much of the variance of the mover's payoff values explain."""
    simulator = at(game, positions.states, options)
    outcome, table = positions.outcome, Table("values of", "payoffs explained", title=f"{game.title}: values")
    values = {label(network): network.payoffs(simulator.observation)[:, 0]}
    for search in searches:
        reasons = search.reasons_at(simulator.states, np.random.default_rng([settings.seed, 4]))
        best = reasons["visits"].argmax(1)
        values[label(search)] = reasons["value"][np.arange(len(best)), best]
    for name, each in values.items():
        table.add_row(name, f"{1 - np.square(outcome - each).mean() / outcome.var():.1%}")
    return table


# -- duels --------------------------------------------------------------------------------


def knowing(s: Record, seat: int) -> None:
    """In place of `believe`: nothing is drawn, so that a search sees the true world."""


def clairvoyant(search: GuidedSearchPolicy) -> Agent:
    """The search with the true world; nodes are still what each seat sees."""
    game = replace(search.game, name=f"{search.game.name}_{knowing.__name__}", believe=knowing)
    guide = GuidedSearchPolicy(game, rebound(search.network, game), search.simulations)
    desk = guide.new_desk()

    def choose(simulator: Simulator, rows: IntArray, rng: np.random.Generator) -> IntArray:
        roots = as_argument(simulator.states, Mode.COMPILED)
        return np.array([desk.search(roots[row : row + 1], rng.integers(1 << 62), guide) for row in rows])

    return choose


def rebound(network: NetworkPolicy, game: Game) -> NetworkPolicy:
    """The network, without its beliefs, for a variant of its game."""
    return NetworkPolicy(game, network.layers, network.activation, values=network.values)


def asking(policy: Policy) -> Agent:
    """An ordinary agent."""
    return lambda simulator, rows, rng: ask_rows(policy, simulator, rows, rng)


def duels(
    game: Game, options: Mapping[str, Any], searches: list[GuidedSearchPolicy], settings: Settings
) -> Table:
    """The two largest searches, with the true world and without: against each other, or among greedy seats."""
    agents = {label(each): asking(each) for each in searches[-2:]}
    if not game.perfect_information:
        agents |= {f"{label(each)}, true world": clairvoyant(each) for each in searches[-2:]}
    names = list(agents)
    if game.num_players(options) > 2:
        table = Table("agent", "payoff among greedy seats", title=f"{game.title}: duels")
        greedy = asking(resolve("greedy", game))
        for name in names:
            table.add_row(name, interval(payoffs(game, options, agents[name], greedy, settings)))
        return table
    table = Table("agent", "against", "score", "Elo", title=f"{game.title}: duels")
    pairs = [(1, 0)] if game.perfect_information else [(1, 0), (2, 0), (3, 2)]
    for one, other in ((names[i], names[j]) for i, j in pairs):
        scores = (1 + payoffs(game, options, agents[one], agents[other], settings)) / 2
        error = SURE * scores.std(ddof=1) / math.sqrt(len(scores))
        low, mean, high = (elo(scores.mean() + each) for each in (-error, 0, error))
        table.add_row(one, other, interval(scores), f"{mean:+.0f} ({low:+.0f} to {high:+.0f})")
    return table


def label(policy: Policy) -> str:
    """A name for tables: all searches have the same network and settings."""
    return f"{policy.simulations} simulations" if isinstance(policy, GuidedSearchPolicy) else "network"


def payoffs(
    game: Game, options: Mapping[str, Any], agent: Agent, others: Agent, settings: Settings
) -> npt.NDArray[np.float64]:
    """The agent's payoff in each deal, the mean over all seats in which it plays the deal."""
    players = game.num_players(options)
    paid = np.zeros((players, settings.deals))
    for seat in Bar(range(players), desc="duel"):
        simulator = Simulator(game, settings.deals, options, seed=FRESH_SEED + settings.seed)
        rng = np.random.default_rng([settings.seed, seat])
        while not simulator.over.all():
            rows = np.flatnonzero(~simulator.over)
            own = simulator.mover[rows] == seat
            for each, part in ((agent, rows[own]), (others, rows[~own])):
                if len(part):
                    simulator.step(each(simulator, part, rng), part)
        paid[seat] = simulator.reward[:, seat]
    return np.asarray(paid.mean(0))


def interval(values: npt.NDArray[np.float64]) -> str:
    """A mean with the half width of its 95% interval."""
    return f"{values.mean():.3f} ± {SURE * values.std(ddof=1) / math.sqrt(len(values)):.3f}"


def elo(score: float) -> float:
    """The difference of ratings that a score stands for."""
    score = min(max(score, 0.001), 0.999)
    return 400 * math.log10(score / (1 - score))


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the command line."""
    return settings_from(Settings, arguments, "diagnose", __doc__)


if __name__ == "__main__":
    main(read_settings(sys.argv[1:]))
