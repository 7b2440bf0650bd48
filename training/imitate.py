"""Clone a policy from a data set of games, and learn the payoffs of its games.

    polytrix dataset make quatrix expert --games 10000 --out expert.jsonl
    python training/imitate.py quatrix --data expert.jsonl

The network learns which action was chosen at each decision, by the cross-entropy of the legal ones, and what
each seat was paid in the end. A tenth of the deals is held out: `agreement` is the share of the decisions in
their games at which the network's most probable action is the one that was chosen.

In this file: settings, where decisions come from, the learner, and the run (`main`).
`polytrix.dataset` plays the games again, `learner/supervised.py` teaches, `shared/` has what all training
scripts share.

The run can be stopped at any time (Ctrl-C, kill -9). The same command continues from the last checkpoint. The
network is `policy.npz` in the run's folder: PPO goes on from it with `fast_ppo.py --network PATH`, and
`search:200,network=PATH` is a search that it guides.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from polytrix import dataset
from polytrix.agents import NetworkPolicy, Policy
from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.core.state import ByteArray, FloatArray, IntArray
from polytrix.training.learner.supervised import Supervised, SupervisedSettings
from polytrix.training.shared.arguments import Sizes, settings_from
from polytrix.training.shared.runs import Clock, ends_in_words
from polytrix.training.shared.scripts import ScriptRun
from polytrix.training.shared.self_play import Decisions, no_decisions

HELD_OUT = 10
"""One deal in so many is held out."""
TOGETHER = 8
"""Minibatches for which decisions come into the window at a time."""
MEASURED = 20_000
"""About how many decisions of held-out games measure the network."""


@dataclass(frozen=True)
class Settings(SupervisedSettings):
    """Settings of a run."""

    data: str = ""
    """The games: a file of `polytrix dataset make`, or the id of a Minari data set made from one."""
    layers: Sizes = (512, 512)
    """Sizes of the hidden layers."""


# -- where decisions come from ----------------------------------------------------------------


class Source(NamedTuple):
    """Games, or the seats of games.

    Args:
        seeds: (G,) of each of them.
        decisions: yields those of the games with these numbers, some games at a time.
    """

    seeds: IntArray
    decisions: Callable[[IntArray], Iterator[Decisions]]


def source(name: str, game: Game, options: Mapping[str, Any]) -> Source:
    """The games in a file, or in a Minari data set.

    Raises:
        SystemExit: they cannot be read, or are of another game.
    """
    try:
        if not Path(name).is_file():
            from polytrix.dataset import minari

            seeds, episodes = minari.read(name, game, game.num_players(options))
            return Source(seeds, lambda numbers: (lessons(game, *each) for each in episodes(numbers)))
        games = dataset.read(name)
    except PolytrixError as error:
        raise SystemExit(f"data is {name}: {error}") from None
    if games.game is not game or games.options != options:
        raise SystemExit(f"data is {name}, games of {games.game.id} with {games.options}; asked for: {options}")

    def decisions(numbers: IntArray) -> Iterator[Decisions]:
        for part in dataset.expand(games, numbers.tolist()):
            yield lessons(
                game, part.observation, part.action_mask, part.action, part.seat, part.payoffs[part.game]
            )

    return Source(np.array([each.seed for each in games.games]), decisions)


def lessons(
    game: Game,
    observation: ByteArray,
    mask: ByteArray,
    action: NDArray[Any],
    seat: NDArray[Any],
    payoffs: FloatArray,
) -> Decisions:
    """What is learned from decisions with a choice: the action chosen, and the payoffs from the mover on.

    Args:
        game: the game.
        observation, mask, action, seat: (n, O), (n, A), (n,) and (n,).
        payoffs: (n, seats), of each seat.
    """
    count, players = mask.sum(1), payoffs.shape[1]
    free = np.flatnonzero(count > 1)
    made = no_decisions(game, len(free))
    made.observation[:] = observation[free]
    made.num_legal[:] = count = count[free]
    row, legal = np.nonzero(mask[free])
    place = np.arange(len(row)) - np.repeat(count.cumsum() - count, count)
    made.legal[row, place] = legal
    made.policy[row, place] = legal == action[free][row]
    in_turn = (seat[free][:, None] + np.arange(players)) % players
    made.target[:, :players] = np.take_along_axis(payoffs[free], in_turn, 1)
    return made


# -- what learns ------------------------------------------------------------------------------


class Learner(Supervised):
    """A network that learns from a data set, whose games pass through the window again and again.

    Args:
        settings: of the run.
        game, options: what is learned, and the values of all options.
        clock: measures `environment` and `learning`.

    Attributes:
        held_out: decisions of games that are not learned from.
    """

    def __init__(self, settings: Settings, game: Game, options: Mapping[str, Any], clock: Clock) -> None:
        super().__init__(settings, game, options, clock, settings.layers)
        games = source(settings.data, game, options)
        held = games.seeds % HELD_OUT == 0
        if held.all() or not held.any():
            raise SystemExit(
                f"data is {settings.data}, {len(held)} games: too few to learn from, and to hold out some"
            )
        self.held_out = first(games.decisions(np.flatnonzero(held)), MEASURED)
        self.coming = self.stream(games.decisions, np.flatnonzero(~held))

    def stream(
        self, decisions: Callable[[IntArray], Iterator[Decisions]], numbers: IntArray
    ) -> Iterator[Decisions]:
        """All games again and again, each time in another order."""
        while True:
            yield from decisions(numbers[torch.randperm(len(numbers)).numpy()])

    def iterate(self, done: float) -> dict[str, float]:
        """Take some games into the window, and learn as much as they are worth; the figures to log."""
        size = self.settings.batch_size
        with self.clock("environment"):
            new = first(self.coming, TOGETHER * size)
            self.window.add(new)
        self.decisions += len(new.num_legal)
        with self.clock("learning"):
            return self.learn(done, max(1, round(len(new.num_legal) * self.settings.reuse / size)))

    def policy(self) -> NetworkPolicy:
        """The network as a policy that plays its most probable action."""
        return self.policy_of(self.network)

    def measured(self, policy: NetworkPolicy) -> dict[str, float]:
        """Of held-out decisions: `agreement`, and the share of the payoffs' variance that is explained."""
        held, target = self.held_out, self.held_out.target[:, : self.players]
        legal = np.take_along_axis(policy.logits(held.observation), held.legal.astype(np.int64), 1)
        legal[np.arange(legal.shape[1]) >= held.num_legal[:, None]] = -np.inf
        chosen = np.take_along_axis(held.policy, legal.argmax(1)[:, None], 1)
        missed = np.square(policy.payoffs(held.observation)[:, : self.players] - target).mean()
        return {"agreement": float(chosen.mean()), "explained": float(1 - missed / max(target.var(), 1e-12))}


def first(parts: Iterator[Decisions], count: int) -> Decisions:
    """The first parts of decisions that have so many together, or all."""
    found, left = list[Decisions](), count
    while left > 0 and (part := next(parts, None)) is not None:
        found.append(part)
        left -= len(part.num_legal)
    return Decisions(*map(np.concatenate, zip(*found, strict=True)))


class Run(ScriptRun):
    """A run whose curve has the agreement with the data set too."""

    figures = {**ScriptRun.figures, "agreement": 0.0, "explained": 0.0}  # noqa: RUF012
    measured: Callable[[Any], dict[str, float]]

    def measure(self, policy: Policy) -> dict[str, float]:
        found = self.measured(policy)
        self.log({f"evaluation/{name}": figure for name, figure in found.items()})
        return super().measure(policy) | found

    def told(self, point: Mapping[str, float]) -> str:
        return f"{point['agreement']:.1%} agree, {super().told(point)}"


def main() -> None:
    """Train, evaluate and report."""
    settings = settings_from(Settings, sys.argv[1:], "imitate", __doc__)
    with ends_in_words(), Run(settings, "imitate.py", "imitate-") as run:
        learner = Learner(settings, run.game, run.options, run.clock)
        run.measured = learner.measured
        run.train(learner)
        run.end_curve(learner.policy)
        point, held = run.curve[-1], len(learner.held_out.num_legal)
        told = f"{point['agreement']:.1%} of {held:,} held-out choices"
        run.report(learner.policy, agreement=[told])


if __name__ == "__main__":
    main()
