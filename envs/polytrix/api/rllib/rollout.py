"""Many games in one process, and the learner's decisions in them, in arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.arena.statistics import shares_of_wins
from polytrix.core.drivers import EXTERNAL
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import IntArray
from polytrix.learning.advantages import END, OPEN, estimate
from polytrix.learning.passes import Records

NOTHING = -1
"""In a list of legal actions: no action here, nor after it."""


class Decisions:
    """The learner's decisions in chronological order, each linked to the next one of the same seat.

    Attributes:
        records: what passes recorded of N decisions.
        potential: (N,) float32, potential of the seat, for shaping.
        reward: (N,) float32, reward until the seat's next decision.
        next: (N,) int64, index of that decision, END or OPEN.
        size: number of decisions; the rest of each array is unused.
    """

    def __init__(self, game: Game, capacity: int) -> None:
        self.records = new_records(game, capacity)
        self.potential = np.zeros(capacity, np.float32)
        self.reward = np.zeros(capacity, np.float32)
        self.next = np.zeros(capacity, np.int64)
        self.size = 0

    def add(self, count: int) -> slice:
        """Add the decisions of a step, which are open and have no reward yet; the slice of their indices."""
        new = slice(self.size, self.size + count)
        self.size += count
        self.reward[new] = 0.0
        self.next[new] = OPEN
        return new

    def keep(self, numbers: IntArray) -> None:
        """Keep only these open decisions, moved to the front."""
        for array in (*self.records, self.potential, self.reward, self.next):
            array[: len(numbers)] = array[numbers]
        self.size = len(numbers)


def new_records(game: Game, count: int) -> Records:
    """Space for so many records."""
    return Records(
        np.zeros((count, game.observations.size), np.int8),
        np.zeros((count, game.max_legal), np.int16),
        np.zeros(count, np.int32),
        np.zeros(count, np.int64),
        *np.zeros((2, count), np.float32),
    )


Choose = Callable[[str, IntArray, Records], IntArray]


class Games:
    """Games stepped together, whose seats are played by modules, and the decisions of one module in them.

    Args:
        game: the game.
        options: its options.
        num_games: number of parallel games, B.
        steps: decisions in each game per rollout.
        seed: row i plays the games of `seed + i`.
        learner: the module whose decisions are kept.
        shaping, shaping_gamma: as for `MultiAgentGame`.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        num_games: int,
        steps: int,
        seed: int,
        learner: str,
        shaping: float = 0.0,
        shaping_gamma: float = 1.0,
    ) -> None:
        self.players = game.num_players(options)
        self.simulator = Simulator(game, num_games, options, seed)
        self.decisions = Decisions(game, num_games * (steps + self.players))
        self.unrecorded = new_records(game, num_games)  # for other modules
        self.modules = [learner]  # numbered in the order in which they first sat down
        self.kinds = [EXTERNAL]  # their numbers among the game's built-in policies
        self.player = np.zeros((num_games, self.players), np.int64)
        self.open = np.full((num_games, self.players), -1)  # index of each seat's open decision
        self.shaping, self.shaping_gamma = shaping, shaping_gamma
        self.tally: dict[str, Counter[str]] = {}
        self.lengths: list[int] = []
        self._rng = np.random.default_rng(seed)
        self._agents = [f"player_{seat}" for seat in range(self.players)]

    def begin(self, rows: IntArray, line_up: Callable[..., str], kind_of: Callable[[str], int]) -> None:
        """Begin new games in these rows, with newly drawn modules in the seats.

        Args:
            rows: their numbers.
            line_up: RLlib's `policy_mapping_fn`.
            kind_of: the number of a module among the game's built-in policies.
        """
        while len(rows):
            for row in rows:
                opening = SimpleNamespace(id_=self._rng.bytes(16).hex())  # a line-up asks episodes for no more
                for seat, agent in enumerate(self._agents):
                    name = line_up(agent, opening)
                    if name not in self.modules:
                        self.modules.append(name)
                        self.kinds.append(kind_of(name))
                    self.player[row, seat] = self.modules.index(name)
            self.simulator.policy[rows, : self.players] = np.array(self.kinds, np.int8)[self.player[rows]]
            self.simulator.restart(rows)
            rows = rows[self.simulator.over[rows]]  # ended before a module was asked
            self._count(rows)

    def step(self, choose: Choose) -> IntArray:
        """Make one decision in each game; the rows of those that are over.

        Args:
            choose: for a module, rows of games, and records of so many decisions to be filled, its actions.
                Only those of the learner need records.
        """
        simulator = self.simulator
        player = self.player[np.arange(len(self.player)), simulator.mover]
        actions = np.zeros(len(player), np.int64)
        for number in np.unique(player):
            rows = np.flatnonzero(player == number)
            records, new = self.unrecorded, slice(len(rows))
            if number == 0:
                records, new = self.decisions.records, self.decisions.add(len(rows))
            actions[rows] = choose(self.modules[number], rows, Records(*(each[new] for each in records)))
            if number == 0:
                self._link(rows, new)
        simulator.step(actions)
        over = np.flatnonzero(simulator.over)
        self._finish(over)
        return over

    def see(self, rows: IntArray, out: Records) -> None:
        """Record what the movers in some rows see, their legal actions and the number of these."""
        out.observation[:] = self.simulator.observation[rows]
        out.legal[:] = self.simulator.legal_ids[rows]
        out.num_legal[:] = self.simulator.num_legal[rows]

    def _link(self, rows: IntArray, new: slice) -> None:
        """Link each seat's previous decision to its new one, in these rows."""
        simulator, decisions = self.simulator, self.decisions
        mover = simulator.mover[rows]
        before = self.open[rows, mover]
        linked, numbers = before[before >= 0], np.arange(new.start, new.stop)
        if self.shaping:
            decisions.potential[new] = simulator.potential()[rows, mover]
            after = self.shaping_gamma * decisions.potential[new][before >= 0]
            decisions.reward[linked] += self.shaping * (after - decisions.potential[linked])
        decisions.next[linked] = numbers[before >= 0]
        self.open[rows, mover] = numbers

    def _finish(self, rows: IntArray) -> None:
        """Pay the seats of games that are over."""
        decisions = self.decisions
        seats = self.open[rows] >= 0
        last = self.open[rows][seats]
        decisions.reward[last] += self.simulator.reward[rows, : self.players][seats]
        if self.shaping:
            decisions.reward[last] -= self.shaping * decisions.potential[last]
        decisions.next[last] = END
        self.open[rows] = -1
        self._count(rows)

    def _count(self, rows: IntArray) -> None:
        """Count finished games, and those that the learner has won against other modules."""
        self.lengths += self.simulator.states["decisions"][rows].tolist()
        player, won = self.player[rows], shares_of_wins(self.simulator.reward[rows, : self.players])
        for number in np.unique(player[player > 0]):
            games = (player == number).any(axis=1) & (player == 0).any(axis=1)
            tally = self.tally.setdefault(self.modules[number], Counter())
            tally["games"] += int(games.sum())
            tally["won"] += float(won[games][player[games] == 0].sum())  # type: ignore[assignment]

    def take(self, gamma: float, decay: float) -> dict[str, npt.NDArray[Any]]:
        """The decisions that are not open, with advantages and targets of the value; the others stay."""
        decisions = self.decisions
        following, value = decisions.next[: decisions.size], decisions.records.value[: decisions.size]
        advantage = estimate(following, decisions.reward, value, np.float32(gamma), np.float32(decay))
        closed, waiting = np.flatnonzero(following != OPEN), np.flatnonzero(following == OPEN)
        seen = Records(*(each[closed] for each in decisions.records))
        taken = {
            "observation": seen.observation,
            "legal": listed(seen),
            "place": seen.place,
            "log_probability": seen.log_probability,
            "advantage": advantage[closed],
            "target": advantage[closed] + value[closed],
        }
        number = np.full(decisions.size, -1)
        number[waiting] = np.arange(len(waiting))
        self.open = np.where(self.open >= 0, number[self.open], -1)
        decisions.keep(waiting)
        return taken


def listed(records: Records) -> npt.NDArray[np.int16]:
    """The legal actions (n, L) int16, NOTHING after the last one of each decision."""
    beyond = np.arange(records.legal.shape[1]) >= records.num_legal[:, None]
    return np.where(beyond, np.int16(NOTHING), records.legal)
