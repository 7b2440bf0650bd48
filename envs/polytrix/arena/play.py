"""Plays duplicate games: one agent among others, in every seat, with the same deals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

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

    def seating(self, players: int) -> IntArray:
        """(rotations, seats) 0 where `one` plays, 1 where `rest` does; `one` in each seat, or in all."""
        return np.zeros((1, players), np.int64) if self.one == self.rest else seat_by_seat(players)

    def generator(self, seed: int) -> np.random.Generator:
        """Random generator for the agents; it depends on the seed and the block only."""
        names = f"{self.one}/{self.rest}/{self.first}"
        return np.random.default_rng([seed, int.from_bytes(hashlib.sha256(names.encode()).digest()[:8], "big")])


Counts: TypeAlias = Mapping[str, Sequence[Sequence[int]]]
"""By figure of `Game.behaviour`: sum and occasions of agent 0, and of all others together."""


class Games(NamedTuple):
    """Results of some deals."""

    payoffs: FloatArray  # (deals, rotations, seats); in rotation r, `one` plays seat r
    truncated: int  # number of games that reached `max_decisions`
    decisions: int  # number of decisions of all seats in all games
    behaviour: Counts = {}  # noqa: RUF012  # empty if it was not counted
    moves: Sequence[Sequence[Sequence[int]]] = []  # [deal][rotation], actions; empty if not kept


def seat_by_seat(players: int) -> IntArray:
    """(players, players) 0 in one seat of each row, the seat of its number, and 1 in all others."""
    return 1 - np.eye(players, dtype=np.int64)


def play_tables(
    game: Game,
    options: Mapping[str, Any],
    agents: Sequence[Policy],
    seating: IntArray,
    first_seed: int,
    deals: int,
    rng: np.random.Generator,
    tick: Callable[[int], None] = lambda finished: None,
    behaviour: bool = False,
    keep_moves: bool = False,
) -> Games:
    """Play each deal once at each table, that is with each seating of some agents.

    All games of a deal have the same seed and draw the same random bits. So they begin alike, and have the same
    dice as long as their chance events are the same.

    Args:
        game, options: the game and the values of all its options.
        agents: who plays.
        seating: (tables, seats) the number of the agent in each seat; tables are the result's rotations.
        first_seed: deal i has seed `first_seed + i`.
        deals: number of deals.
        rng: for policies outside the compiled loop.
        tick: called with the number of games finished since the last call.
        behaviour: whether to count how the seats play, which takes all games again.
        keep_moves: whether to keep the actions.
    """
    tables, players = seating.shape
    sim = Simulator(game, deals * tables, options, first_seed, keep_actions=behaviour or keep_moves)
    rows = np.arange(sim.num_envs)
    table = rows // deals
    seated = seating[table]  # (games, seats)
    sim.policy[:, :players] = np.array([getattr(agent, "built_in", EXTERNAL) for agent in agents])[seated]
    for each in range(tables):
        sim.seed(first_seed, np.flatnonzero(table == each))
    play_on(sim, agents, seated, rng, tick)
    payoffs = sim.reward[:, :players].reshape(tables, deals, players).swapaxes(0, 1)
    truncated, lengths = int(sim.truncated.sum()), sim.states["decisions"].reshape(tables, deals).T
    counts = of_both_sides(game.behaviour, behaviour_of(sim), seated == 0) if behaviour else {}
    played = sim.played.reshape(tables, deals, -1).swapaxes(0, 1)
    moves = [
        [game[:decisions].tolist() for game, decisions in zip(*deal, strict=True)]
        for deal in zip(played, lengths if keep_moves else (), strict=keep_moves)
    ]
    return Games(payoffs.copy(), truncated, int(lengths.sum()), counts, moves)


def play_on(
    sim: Simulator,
    agents: Sequence[Policy],
    seated: IntArray,
    rng: np.random.Generator,
    tick: Callable[[int], None] = lambda finished: None,
) -> None:
    """Let agents play all games of a simulator from their beginning to their end.

    Args:
        sim: the games.
        agents, rng, tick: as for `play_tables`.
        seated: (games, seats) the number of the agent in each seat.
    """
    for agent in agents:
        begin_games(agent, sim.num_envs)
    live = np.arange(sim.num_envs)
    while len(live):
        mover = sim.mover[live]
        ended, live, mover = int((mover < 0).sum()), live[mover >= 0], mover[mover >= 0]
        tick(ended)
        playing = seated[live, mover]
        for number, agent in enumerate(agents):
            asked = live[playing == number]
            if len(asked):
                sim.step(ask_rows(agent, sim, asked, rng), asked)


def behaviour_of(sim: Simulator) -> IntArray:
    """What is counted of each seat's play, (games, seats, size), by a simulator that keeps actions."""
    game = sim.game
    counts = np.zeros((sim.num_envs, game.max_players, game.behaviour.size), np.int64)
    states, before = (as_argument(each, sim.mode) for each in (sim.states.copy(), new_records(1, game.state)))
    programs(game, sim.mode).count_behaviour(states, sim._played, before, counts)
    return counts


def of_both_sides(layout: Layout, counts: IntArray, own: npt.NDArray[np.bool_]) -> Counts:
    """Add up the counts (games, seats, size) of the seats `own` (games, seats), and of all other seats."""
    counts = counts[:, : own.shape[1]]  # at tables with fewer seats than the game has
    both = np.stack([counts[own].sum(axis=0), counts[~own].sum(axis=0)])
    return {name: pairs.tolist() for name, pairs in layout.view(both).items()}
