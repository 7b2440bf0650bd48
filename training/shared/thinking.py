"""How long agents think about a decision."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from polytrix.agents import HeuristicPolicy, Policy, ask_rows, begin_games
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.snapshot import Copies
from polytrix.learning.workers import one_blas_thread

GAMES = 20
"""Number of games of `greedy` against itself from which the positions are drawn."""

POSITIONS = 200
"""Number of positions in which an agent is asked."""

SECONDS = 0.5
"""CPU time of a measurement, at least: an agent that is sooner done is asked again."""

SEED = 1
"""Random seed of the games, of the choice of positions and of the agents."""


def positions(game: Game, options: Mapping[str, Any]) -> Simulator:
    """Positions with more than one legal action, drawn from games of `greedy` against itself.

    They are the same in every call.

    Args:
        game: the game.
        options: values of its options.

    Returns:
        A simulator with a position in each of its `POSITIONS` rows; fewer if the games have fewer.
    """
    rng = np.random.default_rng(SEED)
    sim, greedy = Simulator(game, GAMES, options, seed=SEED), HeuristicPolicy(game)
    found = []
    while not sim.over.all():
        live = np.flatnonzero(~sim.over)
        found.append(sim.copies(live[sim.num_legal[live] > 1]))
        sim.step(ask_rows(greedy, sim, live, rng), live)
    states, generators = (np.concatenate(parts) for parts in zip(*found, strict=True))
    drawn = rng.choice(len(states), min(POSITIONS, len(states)), replace=False)
    chosen = Simulator(game, len(drawn), options, seed=SEED)
    chosen.put(Copies(states[drawn], generators[drawn]))
    return chosen


def milliseconds(policy: Policy, sim: Simulator) -> float:
    """CPU time of a decision on one core (ms): the mean over all rows, asked one at a time.

    Args:
        policy: the agent.
        sim: the positions, which do not change.
    """
    rng = np.random.default_rng(SEED)
    begin_games(policy, sim.num_envs)
    with one_blas_thread():
        ask_rows(policy, sim, [0], rng)  # compiles
        asked, began = 0, time.process_time()
        while asked == 0 or time.process_time() - began < SECONDS:
            for row in range(sim.num_envs):
                ask_rows(policy, sim, [row], rng)
            asked += sim.num_envs
        spent = time.process_time() - began
    return float(f"{1e3 * spent / asked:.3g}")
