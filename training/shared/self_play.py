"""Games of the guided search against itself, and the decisions that `expert.py` learns from."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import tyro

from polytrix.agents import NetworkPolicy
from polytrix.agents.guided import compile_nets
from polytrix.agents.search import Desk
from polytrix.core import drivers
from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import as_argument, programs
from polytrix.core.errors import CheckpointError
from polytrix.core.game import Game
from polytrix.core.loaded import mode_for
from polytrix.core.search.teaching import Lesson, Lessons
from polytrix.core.search.tree import NONE, Nets, Plan
from polytrix.core.simulator import Simulator
from polytrix.core.state import FloatArray, IntArray
from polytrix.training.shared.arguments import Count, Positive, Seed, Share, Weight
from polytrix.training.shared.bars import Bar
from polytrix.training.shared.checkpoints import check_decisions
from polytrix.training.shared.scripts import RunSettings


@dataclass(frozen=True)
class SelfPlaySettings(RunSettings):
    """Settings of the games."""

    simulations: Count = 32
    """Simulations of a search, which improves the policy."""
    exploration: Weight = 0.3
    """Weight of the priors, as in the policy `search`."""
    temperature: Positive = 3.0
    """Temperature of the priors."""
    gain: Weight = 10.0
    """The log-probability of an action is moved by its advantage, multiplied by this."""
    doubt: Weight = 8.0
    """Number of visits at which half of an action's advantage counts."""
    share_greedy: Share = 0.0
    """Fraction of the games in which one seat searches and the greedy policy plays the others."""
    decay: Share = 0.9
    """Lambda of the values' targets: 1 learns the payoffs alone, 0 the value of the next decision."""


@dataclass(frozen=True)
class HeadSettings:
    """Settings of the scripts that give a saved network something new to tell, learned from its games."""

    game: tyro.conf.Positional[str]
    """Name of the game, for example quatrix."""
    network: tyro.conf.Positional[str] = "ppo"
    """The network: a file, or the name of a baseline."""
    out: Path | None = None
    """File for the result; by default that of the network."""
    minutes: Positive = 2.0
    """Minutes of play and learning."""
    num_envs: Count = 256
    """Number of parallel games."""
    share_greedy: Share = 0.0
    """Fraction of the games in which the network plays one seat and the greedy policy the others."""
    batch_size: Count = 1024
    """Decisions per minibatch."""
    seed: Seed = 1
    """Random seed."""
    options: dict[str, Any] = field(default_factory=dict)
    """Options of the game."""


class Decisions(NamedTuple):
    """Decisions of finished games.

    Args:
        observation: (n, O) int8.
        legal: (n, L) int16, the legal actions, and zeros.
        num_legal: (n,) int32, their number.
        policy: (n, L) float32, the improved probability of each.
        target: (n, P) float32, what the values should be: for the mover, the next seat, and so on.
    """

    observation: npt.NDArray[np.int8]
    legal: npt.NDArray[np.int16]
    num_legal: npt.NDArray[np.int32]
    policy: FloatArray
    target: FloatArray


def no_decisions(game: Game, count: int) -> Decisions:
    """Space for some decisions."""
    return Decisions(
        np.zeros((count, game.observations.size), np.int8),
        np.zeros((count, game.max_legal), np.int16),
        np.zeros(count, np.int32),
        np.zeros((count, game.max_legal), np.float32),
        np.zeros((count, game.max_players), np.float32),
    )


class Decision(NamedTuple):
    """A decision of a game that goes on; `value` is that of each seat."""

    mover: int
    observation: npt.NDArray[np.int8]
    legal: npt.NDArray[np.int16]
    policy: FloatArray
    value: FloatArray


def begin(simulator: Simulator, rows: IntArray, share_greedy: float, rng: np.random.Generator) -> IntArray:
    """Begin new games. In a share of them the caller plays one seat, and the greedy policy the others.

    Args:
        simulator: of the games.
        rows: numbers of the games.
        share_greedy: the share.
        rng: draws the games and the seats.

    Returns:
        The rows of the games with greedy players.
    """
    players = simulator.num_players
    found = [rows[:0]]
    while len(rows):
        greedy = rng.random(len(rows)) < share_greedy
        simulator.policy[rows] = np.where(greedy, drivers.GREEDY, drivers.EXTERNAL)[:, None]
        simulator.policy[rows, rng.integers(players[rows])] = drivers.EXTERNAL
        simulator.restart(rows)
        over = simulator.over[rows]  # ended before the caller's first decision
        found.append(rows[greedy & ~over])
        rows = rows[over]
    return np.concatenate(found)


def for_minutes(minutes: float, label: str) -> Iterator[None]:
    """Go on for so long, with a progress bar."""
    began, total = time.perf_counter(), 60 * minutes
    with Bar(total=round(total), unit="s", desc=label) as bar:
        while (seconds := time.perf_counter() - began) < total:
            bar.upto(int(seconds))
            yield


class SelfPlay:
    """A group of parallel games, in which the search plays all seats or one. One thread plays a group.

    Args:
        game, options, settings: of the run.
        games: number of games.
        first: number of the first of them among all games of the run, for the seeds.
    """

    def __init__(
        self, game: Game, options: Mapping[str, Any], settings: SelfPlaySettings, games: int, first: int
    ) -> None:
        self.settings, self.players = settings, game.num_players(options)
        self.rng = np.random.default_rng([settings.seed, first])
        self.simulator = Simulator(game, games, options, seed=int(self.rng.integers(1 << 40)))
        self.alone = np.zeros(games, np.bool_)
        """Games in which the search plays one seat only."""
        self.begin(np.arange(games))
        self.found = Lessons(
            policy=np.zeros((games, game.max_legal), np.float32),
            value=np.zeros(games, np.float32),
            action=np.zeros(games, np.int64),
        )
        self.begun: list[list[Decision]] = [[] for _ in range(games)]
        self.lengths: list[float] = []

    def begin(self, rows: IntArray) -> None:
        """Begin new games."""
        self.alone[rows] = False
        self.alone[begin(self.simulator, rows, self.settings.share_greedy, self.rng)] = True

    def search(self, desk: Desk, nets: Nets) -> IntArray:
        """Search in all games; the number of simulations in each. Results are in `found`."""
        simulator, settings = self.simulator, self.settings
        games = len(self.alone)
        simulations = np.where(simulator.num_legal > 1, settings.simulations, 0)
        self.found.action[:] = simulator.legal_ids[:, 0]
        keys = self.rng.integers(1 << 63, size=games, dtype=np.uint64)
        for rows, others in ((~self.alone, NONE), (self.alone, drivers.GREEDY)):
            if rows.any():
                programs(simulator.game, mode_for(simulator.states, Mode.COMPILED)).teach(
                    as_argument(simulator.states, Mode.COMPILED),
                    keys,
                    np.where(rows, simulations, 0),
                    Plan(settings.exploration, temperature=settings.temperature, others=others),
                    Lesson(settings.gain, settings.doubt),
                    nets,
                    desk.tree,
                    desk.scratch,
                    self.found,
                )
        return simulations

    def play(self, network: NetworkPolicy, steps: int) -> Decisions:
        """Make some decisions in each game; those of the games that have ended meanwhile."""
        simulator = self.simulator
        game = simulator.game
        nets = compile_nets(game, network)
        desk = Desk(game, self.settings.simulations, nets, Mode.COMPILED)
        ended: list[tuple[list[Decision], FloatArray]] = []
        for _ in range(steps):
            simulations = self.search(desk, nets)
            relative = network.payoffs(simulator.observation)
            for row in np.flatnonzero(simulations):
                self.begun[row].append(self.decision(int(row), relative[row]))
            simulator.step(self.found.action)
            over = np.flatnonzero(simulator.over)
            for row in over:
                ended.append((self.begun[row], simulator.reward[row].copy()))
                self.lengths.append(float(simulator.states["decisions"][row]))
                self.begun[row] = []
            self.begin(over)
        return self.learned_from(ended)

    def decision(self, row: int, relative: FloatArray) -> Decision:
        """What is learned from the search in a game.

        Args:
            row: of the game.
            relative: values of the seats, that of the mover first, as the network sees them.
        """
        simulator, players = self.simulator, self.players
        mover, count = int(simulator.mover[row]), int(simulator.num_legal[row])
        value = np.zeros(len(relative), np.float32)
        value[:players] = np.roll(relative[:players], mover)
        value[mover] = self.found.value[row]
        if players == 2:
            value[1 - mover] = -value[mover]
        seen, legal = simulator.observation[row].copy(), simulator.legal_ids[row, :count].copy()
        return Decision(mover, seen, legal, self.found.policy[row, :count].copy(), value)

    def learned_from(self, ended: Sequence[tuple[list[Decision], FloatArray]]) -> Decisions:
        """The decisions of games that have ended with these payoffs."""
        out = no_decisions(self.simulator.game, sum(len(decisions) for decisions, _ in ended))
        n = 0
        for decisions, payoff in ended:
            targets = targets_of([each.value for each in decisions], payoff, self.settings.decay)
            for each, target in zip(decisions, targets, strict=True):
                count = len(each.legal)
                out.observation[n] = each.observation
                out.legal[n, :count] = each.legal
                out.num_legal[n] = count
                out.policy[n, :count] = each.policy
                out.target[n, : self.players] = np.roll(target[: self.players], -each.mover)
                n += 1
        return out


def targets_of(values: Sequence[FloatArray], payoff: FloatArray, decay: float) -> list[FloatArray]:
    """What the values at each decision of a game should have been: TD(lambda).

    Args:
        values: of all seats, at each decision.
        payoff: of all seats, at the end.
        decay: lambda.

    >>> targets_of([np.array([0.0]), np.array([0.5])], np.array([1.0]), 0.5)
    [array([0.75]), array([1.])]
    """
    target, targets = payoff, list[FloatArray]()
    for number in range(len(values) - 1, -1, -1):
        targets.append(target)
        target = (1 - decay) * values[number] + decay * target
    return targets[::-1]


class Window:
    """The latest decisions, of which each minibatch is a random sample.

    Args:
        game: the game.
        size: number of decisions that it holds.
    """

    def __init__(self, game: Game, size: int) -> None:
        self.game, self.decisions = game, no_decisions(game, size)
        self.added = 0

    @property
    def used(self) -> int:
        """Number of decisions in it."""
        return min(self.added, len(self.decisions.num_legal))

    def add(self, decisions: Decisions) -> None:
        """Add decisions, in place of the oldest ones if it is full."""
        size = len(self.decisions.num_legal)
        new = (self.added + np.arange(len(decisions.num_legal))) % size
        arrays: Sequence[npt.NDArray[Any]] = self.decisions
        added: Sequence[npt.NDArray[Any]] = decisions
        for own, given in zip(arrays, added, strict=True):
            own[new[-size:]] = given[-size:]
        self.added += len(new)

    def load(self, decisions: Decisions, added: int) -> None:
        """Hold the decisions in another window, of which `added` had been added to it.

        Raises:
            CheckpointError: there cannot be so many, or they have actions that the game does not have.
        """
        if added < 0 or len(decisions.num_legal) != min(added, len(self.decisions.num_legal)):
            raise CheckpointError(f"{len(decisions.num_legal)} decisions are remembered of {added}")
        check_decisions(self.game, decisions.legal, decisions.num_legal)
        self.added = 0
        self.add(decisions)
        self.added = added
