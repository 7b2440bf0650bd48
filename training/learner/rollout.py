"""The games that `fast_ppo.py` plays: who sits where, and which decisions become samples."""

from __future__ import annotations

import time
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from polytrix.agents import HeuristicPolicy, Policy, ask_rows
from polytrix.core import drivers
from polytrix.core.errors import CheckpointError
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, IdArray, IntArray
from polytrix.core.symmetry import relabel, symmetries_of
from polytrix.learning import passes
from polytrix.learning.advantages import END, OPEN
from polytrix.learning.ppo_loss import NOBODY
from polytrix.learning.samples import Samples, new_samples
from polytrix.training.learner.network import Network, act
from polytrix.training.shared.arguments import Share, Weight
from polytrix.training.shared.checkpoints import check_decisions
from polytrix.training.shared.runs import Clock
from polytrix.training.shared.scripts import PPOSettings

LEARNER = -1
RANDOM = LEARNER - drivers.RANDOM
GREEDY = LEARNER - drivers.GREEDY
"""The player of a seat; frozen networks, past selves and others, have numbers from 0 on."""

ASKED = 1 << 40
"""The number of the first of `Rollout.partners`, if it has to be asked. Networks have smaller ones."""

Rivals = tuple[Sequence[int], Sequence[float]]
"""Numbers of networks, and how often each of them plays."""

IMITATION_GAMES = 0.25
"""Fraction of the games in which the teacher is asked; asking can be slower than the game itself."""

KEPT = ("player", "open", "rivals", "symmetry")
"""The arrays of a `Rollout` that checkpoints have, besides its samples."""


@dataclass(frozen=True)
class RolloutSettings(PPOSettings):
    """Settings of the games."""

    imitation: Weight = 0.0
    """Weight of the cross-entropy with the action of the teacher, in the learner's decisions."""
    imitation_until: Share = 0.15
    """Fraction of the run over which that weight decreases linearly to 0; 0: it stays."""
    teacher: str = "greedy"
    """What is imitated: greedy, or another heuristic of the game."""
    share_random: Share = 0.0
    """Fraction of the games in which one seat learns and the random policy plays the others."""
    share_greedy: Share = 0.0
    """Fraction of the games in which one seat learns and the greedy policy plays the others."""
    share_past: Share = 0.0
    """Fraction of the games in which one seat learns and a past self plays the others."""
    share_partners: Share = 0.0
    """Fraction of the games in which one seat learns and a partner plays the others."""
    copies: Share = 0.0
    """How probable it is for each of these others that the learner plays in the partner's place."""
    symmetric: bool = False
    """Whether the networks see the game from each seat under a symmetry of its own, drawn at random."""


class Rollout:
    """A group of parallel games, their players, and the samples collected in them.

    One thread plays a group at a time. Groups share nothing but the networks, so that several threads can
    play several groups, and what happens in them does not depend on the threads.

    Args:
        game, options, settings: of the run.
        samples: its part of the rollout buffer.
        games: number of games.
        first: number of the first of them among all games of the run, for the seeds.
        num_threads: number of threads for the games' rules.
        partners: of which one is drawn for each game in `share_partners`: policies without memory that no other
            group asks.
        rivals: of which one is drawn for each game in `share_past`; past selves take their place.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        settings: RolloutSettings,
        samples: Samples,
        games: int,
        first: int = 0,
        num_threads: int = 1,
        partners: Sequence[Policy] = (),
        rivals: Rivals = ((LEARNER,), (1.0,)),
    ) -> None:
        self.settings, self.samples, self.partners = settings, samples, partners
        self.device = samples.value.device
        self.players = game.num_players(options)
        self.simulator = Simulator(game, games, options, seed=settings.seed + first, num_threads=num_threads)
        self.player = np.full((games, game.max_players), LEARNER)
        self.open = np.full((games, game.max_players), -1)  # index of each seat's open decision
        self.rng = np.random.default_rng([settings.seed, first])
        self.generator = torch.Generator(self.device).manual_seed(int(self.rng.integers(1 << 62)))
        self.rivals, self.odds = np.array(rivals[0]), rivals[1]
        self.shaping, self.imitation = settings.shaping, settings.imitation  # current weights
        self.teacher = HeuristicPolicy(game, settings.teacher) if settings.imitation else None
        self.results: list[tuple[str, float]] = []
        self.lengths: list[float] = []
        self.clock = Clock(time.thread_time)
        (self.unrecorded,) = new_samples(game, [games], self.device)  # for past selves
        self.symmetries = symmetries_of(game) if settings.symmetric else None
        self.symmetry = np.zeros_like(self.player)  # number of the one under which the seat sees the game
        self.seen = self.simulator.observation.copy(), self.simulator.legal_ids.copy()  # by movers, under it
        self.begin(np.arange(games))

    def begin(self, rows: IntArray) -> None:
        """Start new games with newly drawn players, up to the first decision of a network."""
        settings, simulator = self.settings, self.simulator
        shares = [settings.share_random, settings.share_greedy, settings.share_past, settings.share_partners]
        while len(rows):
            kind = np.searchsorted(np.cumsum(shares), self.rng.random(len(rows)), side="right")
            rival = self.rng.choice(self.rivals, len(rows), p=self.odds)
            partner = self.rng.choice(players_of(self.partners), len(rows)) if self.partners else LEARNER
            others = np.choose(kind, [RANDOM, GREEDY, rival, partner, LEARNER])
            copies = np.choose(kind, [0, 0, 0, settings.copies, 0])[:, None] > self.rng.random(
                self.player[rows].shape
            )
            self.player[rows] = np.where(copies, LEARNER, others[:, None])
            self.player[rows, self.rng.integers(0, self.players, len(rows))] = LEARNER
            if self.symmetries is not None:
                shape = (len(rows), self.player.shape[1])
                self.symmetry[rows] = self.rng.integers(len(self.symmetries.actions), size=shape)
            simulator.policy[rows] = kinds_of(self.player[rows])
            simulator.restart(rows)
            rows = rows[simulator.over[rows]]  # ended before a network's first decision

    # -- one step ---------------------------------------------------------------------------

    def play(self, networks: Mapping[int, Network], steps: int) -> None:
        """Make some decisions in each game, by the learner and past selves."""
        for _ in range(steps):
            self.step(networks)

    def step(self, networks: Mapping[int, Network]) -> None:
        """Make one decision in each game."""
        simulator, clock = self.simulator, self.clock
        player = self.player[np.arange(len(simulator.mover)), simulator.mover]
        actions = np.zeros(len(player), np.int64)
        drawn = torch.rand(len(player), generator=self.generator, device=self.device)
        for number in np.unique(player):
            rows = np.flatnonzero(player == number)
            own, drawn = drawn[: len(rows)], drawn[len(rows) :]
            if number >= ASKED:
                with clock("environment"):
                    actions[rows] = ask_rows(self.partners[number - ASKED], simulator, rows, self.rng)
                continue
            if number != LEARNER:
                place = self.decide(networks[number], rows, own, self.unrecorded)
                self.unrecorded.size = 0
            else:
                place = self.decide(networks[number], rows, own, self.samples)
                with clock("environment"):
                    self.link(rows)
            with clock("inference"):
                actions[rows] = simulator.legal_ids[rows, place.cpu().numpy()]  # waits for a GPU
        with clock("environment"):
            simulator.step(actions)
            self.finish(np.flatnonzero(simulator.over))

    def decide(self, network: Network, rows: IntArray, drawn: Tensor, samples: Samples) -> Tensor:
        """Choose by a network in some rows: the indices (n,) of its actions among the legal ones.

        What it sees, may do and answers becomes new samples.
        """
        count, new = self.simulator.num_legal, samples.add(len(rows))
        with self.clock("environment"):
            observation, legal = self.shown(rows)
        if network.compiles:
            with self.clock("inference"):
                passes.decide(
                    network.vector.numpy(),
                    network.sizes,
                    network.scale.numpy(),
                    rows,
                    observation,
                    legal,
                    count,
                    drawn.numpy(),
                    samples.records(new),
                )
            return samples.place[new]
        with self.clock("copies"):
            samples.observation[new] = torch.from_numpy(observation[rows])
            samples.legal[new] = torch.from_numpy(legal[rows])
            samples.count[new] = torch.from_numpy(count[rows])
        with self.clock("inference"):
            width = int(count[rows].max())
            samples.place[new], samples.log_probability[new], samples.value[new] = act(
                network, samples.observation[new], samples.legal[new, :width], samples.count[new], drawn
            )
            return samples.place[new]

    def shown(self, rows: IntArray) -> tuple[ByteArray, IdArray]:
        """What movers see, (B, O), and their legal actions, (B, L); in these rows under the symmetries."""
        simulator = self.simulator
        position = simulator.observation, simulator.legal_ids
        if self.symmetries is None:
            return position
        which = self.symmetry[rows, simulator.mover[rows]]
        relabel(self.symmetries, which, rows, *position, simulator.num_legal, *self.seen)
        return self.seen

    def link(self, rows: IntArray) -> None:
        """Link each seat's previous decision to its new one, with the shaping reward; ask the teacher."""
        simulator, samples = self.simulator, self.samples
        first, mover = samples.size - len(rows), simulator.mover[rows]
        potential = simulator.potential()[rows, mover] if self.shaping else None
        samples.link(self.open, rows, mover, self.shaping, potential)
        if self.teacher is not None and self.imitation:
            asked = rows[rows < IMITATION_GAMES * len(simulator.mover)]
            taught = self.teacher(simulator.observation[asked], simulator.mask[asked], self.rng)
            places = (simulator.legal_ids[asked] == taught[:, None]).argmax(1)
            samples.taught[first : first + len(asked)] = places

    def finish(self, rows: IntArray) -> None:
        """Add the payoffs of games that are over, and start the next ones."""
        simulator = self.simulator
        self.samples.end(self.open, rows, simulator.reward[rows], self.shaping)
        self.lengths += simulator.states["decisions"][rows].tolist()
        seated = slice(None, self.players)
        for player, reward in zip(self.player[rows, seated], simulator.reward[rows, seated], strict=True):
            if (player != LEARNER).any():
                other = player[player != LEARNER][0]
                rest = "frozen" if 0 <= other < ASKED else "partner"
                name = {RANDOM: "random", GREEDY: "greedy"}.get(other, rest)
                self.results.append((name, float(reward[player == LEARNER][0] > 0)))
        self.begin(rows)

    # -- between rollouts -------------------------------------------------------------------

    def choose_rival(self, pool: Sequence[int]) -> None:
        """Draw the past self that plays in new games.

        There is one at a time: a network answers for many games faster than several for a few games each.
        """
        self.rivals, self.odds = self.rng.choice(pool, 1), (1.0,)

    def save(self) -> dict[str, Any]:
        """Everything needed to continue the games; to be called after `Samples.keep_open`."""
        return {
            "simulator": self.simulator.save(),
            "samples": self.samples.used(),
            "rng": self.rng.bit_generator.state,
            "generator": self.generator.get_state(),
            **{name: getattr(self, name) for name in KEPT},
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a result of `save` must be like that has as many samples as this one."""
        return {**self.save(), "samples": self.samples.used(len(state["samples"]["next"]))}

    def load(self, state: Mapping[str, Any], networks: Container[int], steps: int) -> None:
        """Continue from a result of `save`.

        Args:
            state: like `state_like`.
            networks: the networks that there are to play.
            steps: decisions in each game until the next `keep_open`.

        Raises:
            CheckpointError: players, open decisions or samples that compiled code cannot use.
            SnapshotError: the games are not of such a simulator, or damaged.
        """
        self.check(state, networks, steps)
        self.simulator.load(state["simulator"])
        self.samples.fill(state["samples"])
        self.rng.bit_generator.state = state["rng"]
        self.generator.set_state(state["generator"])
        for name in KEPT:
            setattr(self, name, state[name])
        self.simulator.policy[:] = kinds_of(self.player)

    def check(self, state: Mapping[str, Any], networks: Container[int], steps: int) -> None:
        """Raise CheckpointError unless all numbers of rows in a state are in their ranges; see `load`."""
        samples, opened, games = state["samples"], state["open"], len(self.player)
        size = len(samples["next"])
        if size + steps * games > len(self.samples.next):
            raise CheckpointError(f"there are {size} samples, and {len(self.samples.next)} rows for all")
        known = {RANDOM} if self.simulator.game.greedy is None else {RANDOM, GREEDY}
        known |= {*players_of(self.partners)} | {ASKED + i for i in range(len(self.partners))}
        players = {int(each) for each in np.unique(state["player"])} - known
        if not all(each in networks for each in players | {*state["rivals"].tolist()}):
            raise CheckpointError(f"seats have players {players!s:.40}; not all of them have networks")
        check_decisions(self.simulator.game, samples["legal"], samples["count"], samples["place"])
        following = samples["next"]
        later = (following > np.arange(size)) & (following < size)
        if not (later | (following == END) | (following == OPEN)).all():
            raise CheckpointError("samples are followed by others than later ones")
        taught = (samples["taught"] >= 0) & (samples["taught"] < samples["count"])
        if not (taught | (samples["taught"] == NOBODY)).all():
            raise CheckpointError("samples teach actions that are not legal")
        if self.symmetries is not None:
            most = len(self.symmetries.actions) - 1
            if state["symmetry"].min() < 0 or state["symmetry"].max() > most:
                raise CheckpointError(f"seats see the game under symmetries that are not in 0..{most}")
        rows = np.sort(opened[opened >= 0])
        if opened.min() < -1 or not np.array_equal(rows, np.flatnonzero(following == OPEN)):
            raise CheckpointError("open decisions are others than the samples that are open")


def kinds_of(player: IntArray) -> IntArray:
    """Who decides for seats with these players, as in `Simulator.policy`."""
    return np.maximum(LEARNER - player, drivers.EXTERNAL)


def players_of(partners: Sequence[Policy]) -> list[int]:
    """The numbers of policies in `Rollout.player`."""
    built_in = [getattr(partner, "built_in", None) for partner in partners]
    return [ASKED + i if number is None else LEARNER - int(number) for i, number in enumerate(built_in)]


def take_figures(rollouts: Sequence[Rollout]) -> dict[str, float]:
    """Figures to log about the games finished since the last call."""
    lengths = [length for each in rollouts for length in each.lengths]
    results = [result for each in rollouts for result in each.results]
    figures = {"rollout/ep_len_mean": float(np.mean(lengths))} if lengths else {}
    for name in sorted({name for name, _ in results}):
        figures[f"wins/{name}"] = float(np.mean([won for each, won in results if each == name]))
    for each in rollouts:
        each.results, each.lengths = [], []
    return figures
