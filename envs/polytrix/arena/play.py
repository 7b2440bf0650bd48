"""Plays duplicate games: one agent among others, in every seat, with the same deals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from polytrix.agents import Policy, ask_rows, begin_games
from polytrix.core.compile.programs import as_argument, programs
from polytrix.core.drivers import EXTERNAL
from polytrix.core.game import Game
from polytrix.core.layout import Layout
from polytrix.core.simulator import Simulator
from polytrix.core.state import FloatArray, IntArray, new_records


@dataclass(frozen=True)
class Block:
    """Consecutive deals of a line-up, which are played and saved together."""

    one: str
    rest: str
    one_mark: str
    rest_mark: str
    first: int
    deals: int

    def generator(self, seed: int) -> np.random.Generator:
        """Random generator for the agents; it depends on the seed and the block only."""
        names = f"{self.one}/{self.rest}/{self.first}"
        return np.random.default_rng([seed, int.from_bytes(hashlib.sha256(names.encode()).digest()[:8], "big")])


Counts: TypeAlias = Mapping[str, Sequence[Sequence[int]]]
"""By figure of `Game.behaviour`: sum and occasions of `one`, and of all other seats together."""


class Games(NamedTuple):
    """Results of some deals."""

    payoffs: FloatArray  # (deals, rotations, seats); in rotation r, `one` plays seat r
    truncated: int  # number of games that reached `max_decisions`
    decisions: int  # number of decisions of all seats in all games
    behaviour: Counts | None = None


def play_deals(
    game: Game,
    options: Mapping[str, Any],
    one: Policy,
    rest: Policy,
    first_seed: int,
    deals: int,
    rng: np.random.Generator,
    tick: Callable[[int], None] = lambda finished: None,
) -> Games:
    """Play each deal once with `one` in each seat and `rest` in all others.

    All games of a deal have the same seed and draw the same random bits. So they begin alike, and have the same
    dice as long as their chance events are the same.

    Args:
        game, options: the game and the values of all its options.
        one, rest: the agents.
        first_seed: deal i has seed `first_seed + i`.
        deals: number of deals.
        rng: for policies outside the compiled loop.
        tick: called with the number of games finished since the last call.
    """
    players = game.num_players(options)
    sim = Simulator(game, deals * players, options, first_seed, keep_actions=game.behaviour is not None)
    rows = np.arange(sim.num_envs)
    own_seat = rows // deals
    sim.policy[:] = getattr(rest, "built_in", EXTERNAL)
    sim.policy[rows, own_seat] = getattr(one, "built_in", EXTERNAL)
    for rotation in range(players):
        sim.seed(first_seed, np.flatnonzero(own_seat == rotation))
    begin_games(one, sim.num_envs)
    begin_games(rest, sim.num_envs)
    live = rows
    while len(live):
        mover = sim.mover[live]
        ended, live, mover = int((mover < 0).sum()), live[mover >= 0], mover[mover >= 0]
        tick(ended)
        own = mover == own_seat[live]
        for policy, asked in ((one, live[own]), (rest, live[~own])):
            if len(asked):
                sim.step(ask_rows(policy, sim, asked, rng), asked)
    payoffs = sim.reward[:, :players].reshape(players, deals, players).swapaxes(0, 1)
    truncated, decisions = int(sim.truncated.sum()), int(sim.states["decisions"].sum())
    return Games(payoffs.copy(), truncated, decisions, behaviour_of(sim, own_seat))


def behaviour_of(sim: Simulator, own_seat: IntArray) -> Counts | None:
    """What the games of a simulator that keeps actions tell of the seats `own_seat`, and of all others."""
    game = sim.game
    if game.behaviour is None:
        return None
    counts = np.zeros((sim.num_envs, game.max_players, game.behaviour.size), np.int64)
    states, before = (as_argument(each, sim.mode) for each in (sim.states.copy(), new_records(1, game.state)))
    programs(game, sim.mode).count_behaviour(states, sim._played, before, counts)
    return of_both_sides(game.behaviour, counts, own_seat)


def of_both_sides(layout: Layout, counts: IntArray, own_seat: IntArray) -> Counts:
    """Add up the counts (games, seats, size) of the seats `own_seat` (games,), and of all other seats."""
    own = counts[np.arange(len(counts)), own_seat].sum(axis=0)
    both = np.stack([own, counts.sum(axis=(0, 1)) - own])
    return {name: pairs.tolist() for name, pairs in layout.view(both).items()}
