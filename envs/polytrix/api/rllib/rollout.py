"""Many games in one process, and the learner's decisions in them, in arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from polytrix.arena.statistics import shares_of_wins
from polytrix.core.drivers import EXTERNAL
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import IntArray
from polytrix.learning.passes import Records
from polytrix.learning.samples import advantages, closed, new_samples

NOTHING = -1
"""In a list of legal actions: no action here, nor after it."""


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
        capacities = [num_games * (steps + self.players), num_games]
        self.decisions, self.unrecorded = new_samples(game, capacities, torch.device("cpu"))  # of other modules
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
            if number:
                out = self.unrecorded.records(slice(len(rows)))
            else:
                out = self.decisions.records(self.decisions.add(len(rows)))
            actions[rows] = choose(self.modules[number], rows, out)
            if number == 0:
                mover, gamma = simulator.mover[rows], self.shaping_gamma
                potential = simulator.potential()[rows, mover] if self.shaping else None
                self.decisions.link(self.open, rows, mover, self.shaping, potential, gamma)
        simulator.step(actions)
        over = np.flatnonzero(simulator.over)
        self.decisions.end(self.open, over, simulator.reward[over, : self.players], self.shaping)
        self._count(over)
        return over

    def see(self, rows: IntArray, out: Records) -> None:
        """Record what the movers in some rows see, their legal actions and the number of these."""
        out.observation[:] = self.simulator.observation[rows]
        out.legal[:] = self.simulator.legal_ids[rows]
        out.num_legal[:] = self.simulator.num_legal[rows]

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
        advantage, target = advantages(decisions, gamma, decay)
        chosen, used = closed(decisions), decisions.used()
        taken = {name: used[name][chosen] for name in ("observation", "place", "log_probability")}
        taken["legal"] = listed(used["legal"][chosen], used["count"][chosen])
        taken["advantage"], taken["target"] = advantage[chosen], target[chosen]
        decisions.keep_open(self.open)
        return taken


def listed(legal: npt.NDArray[np.int16], count: IntArray) -> npt.NDArray[np.int16]:
    """Legal actions (n, L) int16, so many of each decision, and NOTHING after the last one."""
    beyond = np.arange(legal.shape[1]) >= count[:, None]
    return np.where(beyond, np.int16(NOTHING), legal)
