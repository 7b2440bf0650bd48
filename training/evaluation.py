"""How strong a policy is: games on held-out seeds over both seats, with an honest interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from polytrix.agents import Policy, resolve
from polytrix.core.drivers import EXTERNAL
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator

HELD_OUT_SEED = 1 << 40
"""Evaluation games have seeds from here on; training draws its own below."""


@dataclass(frozen=True)
class Result:
    """Games of one policy against one opponent.

    Args:
        opponent: its name.
        games: how many.
        wins, losses: payoff above and below zero. What is neither is a draw or was truncated.
        truncated: games that reached their limit.
        decisions: mean number of decisions of all seats in a game.
    """

    opponent: str
    games: int
    wins: int
    losses: int
    truncated: int
    decisions: float

    @property
    def rate(self) -> float:
        """Share of games won; a truncated game is no win."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95% Wilson interval of the rate."""
        return wilson(self.wins, self.games)


def wilson(wins: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson score interval of a binomial rate (Wilson 1927).

    >>> tuple(round(x, 3) for x in wilson(95, 100))
    (0.888, 0.978)
    """
    rate = wins / games
    centre = rate + z * z / (2 * games)
    spread = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def evaluate(
    game: Game,
    policy: Policy,
    opponent: str | Policy,
    games: int,
    options: Mapping[str, Any] | None = None,
    seed: int = HELD_OUT_SEED,
    tick: Callable[[int], None] | None = None,
) -> Result:
    """Play `games` games, the policy's seat changing from game to game.

    Args:
        game: what is played.
        policy: the one that is measured.
        opponent: a policy, or what `polytrix.agents.resolve` takes, in every other seat.
        games: how many; game i has seed `seed + i` and puts the policy into seat i % players.
        options: options of the game.
        seed: of the first game.
        tick: called with the number of finished games after each step.
    """
    other = resolve(opponent, game)
    seats = np.arange(games) % game.max_players
    sim = Simulator(game, games, options, seed=seed)
    sim.policy[:] = getattr(other, "built_in", EXTERNAL)
    sim.policy[np.arange(games), seats] = EXTERNAL
    sim.seed(seed)  # begin anew, now that the opponents are in their seats
    rng = np.random.default_rng(seed)
    while True:
        mover = sim.mover
        live = np.flatnonzero(mover >= 0)
        if tick is not None:
            tick(games - len(live))
        if not len(live):
            break
        own = mover[live] == seats[live]
        for player, rows in ((policy, live[own]), (other, live[~own])):
            if len(rows):
                sim.step(player(sim.observation[rows], sim.mask[rows], rng), rows)
    payoff = sim.reward[np.arange(games), seats]
    name = opponent if isinstance(opponent, str) else getattr(other, "name", "policy")
    return Result(
        opponent=name,
        games=games,
        wins=int((payoff > 0).sum()),
        losses=int((payoff < 0).sum()),
        truncated=int(sim.truncated.sum()),
        decisions=float(sim.states["decisions"].mean()),
    )
