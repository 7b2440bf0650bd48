"""How strong a policy is: games on held-out seeds, every seat equally often, with honest intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from polytrix.agents import Policy, ask_rows, begin_games, resolve
from polytrix.arena.statistics import shares_of_wins, wilson
from polytrix.core.drivers import EXTERNAL
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator

HELD_OUT_SEED = 1 << 40
"""Evaluation games have seeds from here on; training draws its own below."""


@dataclass(frozen=True)
class Result:
    """Games of one policy with one opponent in all other seats.

    Args:
        opponent: its name.
        players: how many take part in a game.
        games: how many.
        wins: games in which the policy's payoff was the highest and above zero; of a win that k seats
            share, one k-th. Where nobody gains anything nobody wins.
        losses: games with a payoff below zero.
        truncated: games that reached their limit.
        payoff: mean payoff of a game.
        deviation: standard deviation of the payoff from game to game.
        decisions: mean number of decisions of all seats in a game.
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
        """Share of games won."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95% Wilson interval of the rate; shared wins make it a little too wide."""
        return wilson(self.wins, self.games)

    @property
    def payoff_interval(self) -> tuple[float, float]:
        """95% normal interval of the mean payoff."""
        spread = 1.96 * self.deviation / math.sqrt(self.games)
        return self.payoff - spread, self.payoff + spread


def even(games: int, players: int) -> int:
    """The smallest number of games, not below the given one, that gives every seat equally many."""
    return -(-games // players) * players


def evaluate(
    game: Game,
    policy: Policy,
    opponent: str | Policy,
    games: int,
    options: Mapping[str, Any] | None = None,
    seed: int = HELD_OUT_SEED,
    tick: Callable[[int], None] | None = None,
) -> Result:
    """Play games, the policy's seat changing from game to game so that each seat has equally many.

    Args:
        game: what is played.
        policy: the one that is measured.
        opponent: a policy, or what `polytrix.agents.resolve` takes, in every other seat.
        games: how many, rounded up to a multiple of the players. Game i has seed `seed + i` and puts
            the policy into seat i % players.
        options: options of the game.
        seed: of the first game.
        tick: called with the number of finished games after each step.
    """
    other = resolve(opponent, game)
    players = game.num_players(game.options.validate(options or {}))
    games = even(games, players)
    rows = np.arange(games)
    seats = rows % players
    sim = Simulator(game, games, options, seed=seed)
    sim.policy[:] = getattr(other, "built_in", EXTERNAL)
    sim.policy[rows, seats] = EXTERNAL
    sim.seed(seed)  # begin anew, now that the opponents are in their seats
    rng = np.random.default_rng(seed)
    for player in (policy, other):
        begin_games(player, games)
    while True:
        mover = sim.mover
        live = np.flatnonzero(mover >= 0)
        if tick is not None:
            tick(games - len(live))
        if not len(live):
            break
        own = mover[live] == seats[live]
        for player, asked in ((policy, live[own]), (other, live[~own])):
            if len(asked):
                sim.step(ask_rows(player, sim, asked, rng), asked)
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
