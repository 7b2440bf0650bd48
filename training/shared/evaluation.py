"""Evaluates a policy: games on held-out seeds, each seat equally often, with confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from polytrix.agents import Policy, resolve
from polytrix.arena.play import play_on, seat_by_seat
from polytrix.arena.statistics import shares_of_wins, wilson
from polytrix.core.drivers import EXTERNAL
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator

HELD_OUT_SEED = 1 << 40
"""First seed of evaluation games; the seeds of training games are lower."""


@dataclass(frozen=True)
class Result:
    """Results of a policy against one opponent in all other seats.

    Args:
        opponent: name of the opponent.
        players: number of players in a game.
        games: number of games.
        wins: number of games in which the policy's payoff was the highest and above zero; ties split the win.
        losses: number of games with a payoff below zero.
        truncated: number of games that reached `max_decisions`.
        payoff: mean payoff per game.
        deviation: standard deviation of the payoff.
        decisions: mean number of decisions of all seats per game.
    """

    opponent: str
    players: int
    games: int
    wins: float
    losses: int
    truncated: int
    payoff: float
    deviation: float
    decisions: float

    @property
    def rate(self) -> float:
        """Win rate."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95% Wilson interval of the win rate; split wins make it slightly too wide."""
        return wilson(self.wins, self.games)

    @property
    def payoff_interval(self) -> tuple[float, float]:
        """95% normal interval of the mean payoff."""
        spread = 1.96 * self.deviation / math.sqrt(self.games)
        return self.payoff - spread, self.payoff + spread


def even(games: int, players: int) -> int:
    """`games`, rounded up to a multiple of the players, so that each seat has equally many games."""
    return -(-games // players) * players


def evaluate(
    game: Game,
    policy: Policy,
    opponent: str | Policy,
    games: int,
    options: Mapping[str, Any] | None = None,
    seed: int = HELD_OUT_SEED,
    tick: Callable[[int], None] = lambda finished: None,
) -> Result:
    """Play games in which the policy has each seat equally often.

    Args:
        game: the game.
        policy: the policy to evaluate.
        opponent: plays all other seats; a policy, or anything that `polytrix.agents.resolve` accepts.
        games: number of games, rounded up to a multiple of the players. Game i has seed `seed + i`, and the
            policy plays seat i % players.
        options: options of the game.
        seed: seed of the first game.
        tick: called with the number of games finished since the last call.
    """
    other = resolve(opponent, game)
    players = game.num_players(game.options.validate(options or {}))
    games = even(games, players)
    rows = np.arange(games)
    seats = rows % players
    sim = Simulator(game, games, options, seed=seed)
    sim.policy[:] = getattr(other, "built_in", EXTERNAL)
    sim.policy[rows, seats] = EXTERNAL
    sim.seed(seed)  # restart with the opponents in their seats
    play_on(sim, (policy, other), seat_by_seat(players)[seats], np.random.default_rng(seed), tick)
    payoff = sim.reward[rows, seats].astype(np.float64)
    name = opponent if isinstance(opponent, str) else getattr(other, "name", "policy")
    return Result(
        opponent=name,
        players=players,
        games=games,
        wins=float(shares_of_wins(sim.reward)[rows, seats].sum()),
        losses=int((payoff < 0).sum()),
        truncated=int(sim.truncated.sum()),
        payoff=float(payoff.mean()),
        deviation=float(payoff.std(ddof=1)) if games > 1 else 0.0,
        decisions=float(sim.states["decisions"].mean()),
    )
