"""Train a policy by self-play with PPO; every seat learns; all cores work.

    python training/fast_ppo.py quatrix           (in a clone)
    polytrix train quatrix                        (anywhere)

One network plays all seats of many parallel games, and every decision of every seat is a sample. Its reward
is what the seat receives until its own next decision, or until the end of the game. In a fraction of the
games only one seat learns; the random policy, the greedy policy or a frozen past self plays the others.

In this file: settings, the update, and the training loop (`Run.train`). In `learner/`, `tables.py` plays the
games, `samples.py` holds their decisions, `network.py` chooses, and `updates.py` teaches. `shared/runs.py` has
what all training scripts share: the run's folder, checkpoints, evaluation and report.

Each thread plays a group of games, then computes the gradient of a shard of each minibatch. With a GPU the
network is there.

The run can be stopped at any time (Ctrl-C, kill -9). The same command continues from the last checkpoint,
with the same result as without the stop. It writes the same files as `sb3_ppo.py`, which trains one seat
with Stable-Baselines3.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads slow down the evaluation on busy cores

import numpy as np
import torch
from rich.console import Console
from torch import Tensor
from torch.utils.tensorboard import SummaryWriter

import polytrix
from polytrix.agents import NetworkPolicy, Policy, RecurrentNetworkPolicy, save_network
from polytrix.core.errors import CheckpointError
from polytrix.core.state import IntArray
from polytrix.learning import sparse
from polytrix.learning.ppo_loss import LOSSES, Weights
from polytrix.learning.workers import ALONE, Workers
from polytrix.training.learner.network import Network
from polytrix.training.learner.references import weighted_sum
from polytrix.training.learner.samples import Samples, advantages, new_samples, pieces
from polytrix.training.learner.tables import FIRST_OPPONENT, LEARNER, Tables, TableSettings, take_figures
from polytrix.training.learner.updates import update, update_by_pytorch
from polytrix.training.shared import runs
from polytrix.training.shared.arguments import (
    Amount,
    Count,
    Positive,
    Share,
    Sizes,
    Weight,
    check_shares,
    feed_forward,
    settings_from,
)
from polytrix.training.shared.checkpoints import adam_like, load_adam


@dataclass(frozen=True)
class Settings(TableSettings):
    """Settings of a run."""

    device: str = "auto"
    """Device of the network: cpu, cuda, or auto (a GPU if there is one)."""
    threads: Amount = 0
    """Number of CPU threads; 0: one for each core that the process may use. What is learned from a seed depends
    on `groups` and `shards`, but not on the number of threads that share them."""
    groups: Amount = 0
    """Groups of games, each played by one thread; 0: as many as threads, with a GPU two."""
    shards: Amount = 0
    """Parts of a minibatch, each learned from by one thread; 0: as many as threads, with a GPU one."""

    num_steps: Count = 32
    """Decisions in each game per rollout."""
    batch_size: Count = 1024
    """Decisions per minibatch."""
    epochs: Count = 2
    """Passes over the rollout per update. A new decision costs less than a pass over an old one."""
    learning_rate: Positive = 1e-3
    """Initial learning rate of Adam; decreases linearly over the run."""
    last_learning_rate: Share = 0.1
    """Learning rate at the end of the run, as a fraction of the initial one."""
    layers: Sizes = (128, 128)
    """Sizes of the hidden layers, shared by policy and value."""
    network: str = ""
    """Where the learner begins: a saved network, whose layers count instead of `layers`, or the name of a
    baseline; empty: untrained. Give it values first (`training/values.py`), or it loses strength at first."""
    average: Share = 0.0
    """The result is an average of the weights after each iteration, which gets this fraction of the average
    before it; 0: the last weights."""
    normalize_advantage: bool = True
    """Whether the advantages of a minibatch are shifted and scaled to mean 0 and deviation 1."""
    kl_last: Weight = 0.0
    """Weight of the KL divergence of the policy from the one before the update: 1 / eta of mirror descent."""
    kl_magnet: Weight = 0.0
    """Weight of the KL divergence of the policy from the magnet, see `magnet_iterations`."""
    magnet_iterations: Amount = 0
    """Iterations after which the policy becomes the magnet; 0: the magnet is the uniform policy."""
    kl_annealing: Amount = 0
    """Number of decisions n after which `kl_last` and `kl_magnet` have their values: after t decisions they are
    multiplied by sqrt(t / n) and sqrt(n / t). 0: they stay constant."""
    unroll: Count = 16
    """Length of backpropagation through time, in decisions of a seat."""
    entropy_until: Share = 0.0
    """Fraction of the run over which the weights of entropy and magnet decrease linearly to 0; 0: they stay
    constant."""
    shaping_until: Share = 0.0
    """Fraction of the run over which shaping decreases linearly to 0; 0: it stays constant."""
    imitation_until: Share = 0.0
    """Fraction of the run over which imitation decreases linearly to 0; 0: it stays constant."""

    freeze_every_iterations: Count = 20
    """Iterations between two frozen copies of the learner for the pool of past selves, if `share_past` > 0."""
    opponents: tuple[str, ...] = ()
    """Saved networks, or names of baselines, that take turns with the past selves in `share_past`."""


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the game's settings file, overridden by the command line."""
    settings = settings_from(Settings, arguments, "fast_ppo", __doc__)
    check_shares(settings.share_random, settings.share_greedy, settings.share_past)
    if settings.recurrent and (settings.kl_last or settings.kl_magnet):
        raise SystemExit("kl_last and kl_magnet are for networks without a GRU: leave --recurrent at 0")
    if settings.recurrent and settings.network:
        raise SystemExit("a run can begin with a network without a GRU only: leave --recurrent at 0")
    if settings.opponents and not settings.share_past:
        raise SystemExit("opponents play in --share-past of the games, which is 0")
    try:
        torch.device("cpu" if settings.device == "auto" else settings.device)
    except RuntimeError:
        raise SystemExit(f"--device is {settings.device!r}; allowed: auto, cpu, cuda, cuda:0, ...") from None
    if settings.imitation and polytrix.find(settings.game).greedy is None:
        raise SystemExit(f"{settings.game} has no greedy policy to imitate: leave --imitation at 0")
    return settings


# -- learning ---------------------------------------------------------------------------------


def learn(
    network: Network,
    optimizer: torch.optim.Adam,
    buffers: Sequence[Samples],
    settings: Settings,
    left: float,
    imitation: float = 0.0,
    workers: Workers = ALONE,
    shards: int = 1,
    magnet: Network | None = None,
) -> dict[str, float]:
    """One PPO update with all samples that are not open.

    Args:
        network, optimizer, settings: of the learner.
        buffers: its decisions, from `new_samples`.
        left: remaining fraction of the run, for the learning rate.
        imitation: current weight of the imitation loss.
        workers: threads that share the work.
        shards: number of parts of a minibatch whose gradients they compute.
        magnet: a policy to stay near; None: the uniform one.

    Returns:
        Figures to log, with the names that Stable-Baselines3 uses.
    """
    last = settings.last_learning_rate
    rate = settings.learning_rate * (last + (1 - last) * left)
    for group in optimizer.param_groups:
        group["lr"] = rate
    given, columns, decisions = prepared(network, buffers, settings, workers)
    if not decisions:  # the rollout is so short that no seat has had two decisions
        return {}
    remaining = faded(1.0, settings.entropy_until, 1.0 - left)
    by_magnet = settings.kl_magnet * remaining
    references = [(settings.kl_last, network), *([] if magnet is None else [(by_magnet, magnet)])]
    given["reference"] = weighted_sum(references, given, buffers, workers)
    weights = Weights(
        settings.clip_range,
        settings.entropy * remaining,
        settings.value_weight,
        imitation,
        standardize=settings.normalize_advantage,
        divergence=settings.kl_last + by_magnet,
    )
    batches = max(1, round(decisions / settings.batch_size))
    minibatches = [
        columns[:, chosen]
        for _ in range(settings.epochs)
        for chosen in torch.randperm(columns.shape[1]).to(columns.device).tensor_split(batches)
    ]
    do = update if network.compiles else update_by_pytorch
    figures = do(network, optimizer, given, minibatches, weights, settings.max_grad_norm, workers, shards)
    means = figures.mean(0)[: len(LOSSES)].tolist()
    used = columns[columns >= 0]
    explained = 1.0 - given["advantage"][used].var() / given["target"][used].var().clamp(min=1e-12)
    return {
        "train/learning_rate": rate,
        "train/explained_variance": float(explained),
        **{f"train/{name}": mean for name, mean in zip(LOSSES, means, strict=True)},
    }


def annealed(settings: Settings, decisions: int) -> Settings:
    """The settings with the weights of the KL divergences after some decisions, see `kl_annealing`."""
    if not settings.kl_annealing:
        return settings
    scale = math.sqrt(decisions / settings.kl_annealing)
    return replace(settings, kl_last=settings.kl_last * scale, kl_magnet=settings.kl_magnet / scale)


def prepared(
    network: Network, buffers: Sequence[Samples], settings: Settings, workers: Workers
) -> tuple[dict[str, Any], Tensor, int]:
    """What is learned from.

    Returns:
        The tensors of `Samples`, with `taught`, `advantage` and `target`, and on the CPU the entries of the
        observations; the indices (T, S) of the closed decisions in them, columns as from `pieces`; all on the
        device of the network; and their number.
    """
    whole = buffers[0].whole
    advantage, target = (np.zeros(len(whole["next"]), np.float32) for _ in range(2))
    length = settings.unroll if settings.recurrent else 1

    def estimate(samples: Samples) -> IntArray:
        own = slice(samples.first, samples.first + samples.size)
        advantage[own], target[own] = advantages(samples, settings.gamma, settings.gae_lambda)
        columns = pieces(samples, length)
        return np.where(columns >= 0, columns + samples.first, -1)

    columns = np.concatenate(workers.map(estimate, buffers), axis=1)
    given: dict[str, Any] = {name: array for name, array in whole.items() if isinstance(array, Tensor)}
    widest = max(int(samples.count[: samples.size].max()) for samples in buffers)
    given["legal"] = whole["legal"][:, :widest]
    found = buffers[0].entries
    if found is not None:

        def put(samples: Samples) -> None:
            sparse.put_entries(samples.observation[: samples.size], network.scale, found, samples.first)

        workers.map(put, buffers)
        given["observation"] = found
    device = whole["value"].device
    for name, computed in {"taught": whole["taught"], "advantage": advantage, "target": target}.items():
        given[name] = torch.from_numpy(computed).to(device)
    return given, torch.from_numpy(columns).to(device), int((columns >= 0).sum())


# -- the run ----------------------------------------------------------------------------------


def faded(weight: float, until: float, done: float) -> float:
    """A weight that decreases linearly to 0 at the fraction `until` of the run; constant if `until` is 0.

    >>> faded(2.0, 0.5, 0.25), faded(2.0, 0.5, 0.75), faded(2.0, 0.0, 0.75)
    (1.0, 0.0, 2.0)
    """
    return weight * max(0.0, 1.0 - done / until) if until else weight


class Run(runs.Run):
    """A run in which every seat learns."""

    settings: Settings

    def __init__(self, settings: Settings, script: str = "fast_ppo.py", prefix: str = "fast-") -> None:
        super().__init__(settings, script, prefix)
        automatic = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.device(automatic if settings.device == "auto" else settings.device)
        torch.set_num_threads(1)  # of each operation: the workers are the threads
        torch.manual_seed(settings.seed)
        self.workers = Workers(settings.threads)
        self.shards = settings.shards or (self.workers.threads if self.device.type == "cpu" else 1)
        self.tables = self.new_tables(
            settings.groups or (self.workers.threads if self.device.type == "cpu" else 2)
        )
        self.pool: list[int] = []
        self.networks = {LEARNER: self.new_network()}
        self.opponents = {
            FIRST_OPPONENT + k: self.network_like(feed_forward(name, self.game))
            for k, name in enumerate(settings.opponents)
        }
        self.average = self.copy_of_learner() if settings.average else self.networks[LEARNER]
        self.magnet: Network | None = None
        if settings.kl_magnet and settings.magnet_iterations:
            self.magnet = self.copy_of_learner()
        self.optimizer = torch.optim.Adam([self.networks[LEARNER].vector], eps=1e-5, fused=True)
        self.restore()
        self.writer = SummaryWriter(str(self.folder / "tensorboard"), purge_step=self.progress.steps)

    def new_tables(self, groups: int) -> list[Tables]:
        """Groups of games at their beginning."""
        settings = self.settings
        sizes = [len(each) for each in np.array_split(np.arange(settings.num_envs), groups) if len(each)]
        capacities = [games * (settings.num_steps + self.players) for games in sizes]
        buffers = new_samples(self.game, capacities, settings.recurrent, self.device)
        threads = max(1, self.workers.threads // len(sizes))
        return [
            Tables(self.game, self.options, settings, samples, games, first, threads, self.new_opponent())
            for samples, games, first in zip(buffers, sizes, accumulate(sizes, initial=0), strict=False)
        ]

    @cached_property
    def begun_with(self) -> NetworkPolicy | None:
        """The network with which the learner begins; None: an untrained one."""
        name = self.settings.network
        return feed_forward(name, self.game) if name else None

    def new_opponent(self) -> Policy | None:
        """What plays all seats but one in a group of games; None: what the settings say."""
        return None

    def new_network(self) -> Network:
        """The network with which the learner begins."""
        begun_with, settings = self.begun_with, self.settings
        if begun_with is None:
            return self.untrained(settings.layers, settings.recurrent)
        return self.network_like(begun_with)

    def network_like(self, policy: NetworkPolicy) -> Network:
        """A network with the weights of a policy.

        Its value is about that of the policy's games against itself, if there are such values: without them the
        first updates would spoil the policy.
        """
        network = self.untrained(tuple(len(bias) for _, bias in policy.layers[:-1]))
        network.load(NetworkPolicy(self.game, policy.layers, policy.activation, name=policy.name))
        weight, bias = policy.values or (np.zeros((len(policy.layers[-1][0]), 1)), np.zeros(1))
        with torch.no_grad():
            network.value.weight.copy_(torch.from_numpy(weight[:, :1].T))
            network.value.bias.copy_(torch.from_numpy(bias[:1]))
        return network

    def untrained(self, layers: tuple[int, ...], recurrent: int = 0) -> Network:
        """A network of these sizes for the game."""
        return Network(self.game, layers, recurrent, self.device)

    def copy_of_learner(self) -> Network:
        """A network with the learner's weights."""
        network = self.new_network()
        network.load_state_dict(self.networks[LEARNER].state_dict())
        return network

    # -- saving and resuming ---------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {
            "networks": {number: network.state_dict() for number, network in self.networks.items()},
            "magnet": None if self.magnet is None else self.magnet.state_dict(),
            "average": self.average.state_dict() if self.settings.average else None,
            "optimizer": self.optimizer.state_dict(),
            "tables": [tables.save() for tables in self.tables],
            "shards": self.shards,
            "pool": self.pool,
            "torch_generator": torch.get_rng_state(),
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        if len(state["tables"]) != len(self.tables):  # the run began with another number of threads
            self.tables = self.new_tables(len(state["tables"]))
        weights = self.networks[LEARNER].state_dict()
        return {
            **self.state(),
            "networks": {LEARNER: weights, **dict.fromkeys(state["networks"], weights)},
            "optimizer": adam_like(self.optimizer, state["optimizer"]),
            "tables": [
                tables.state_like(saved) for tables, saved in zip(self.tables, state["tables"], strict=True)
            ],
            "pool": [0] * len(state["pool"]),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        settings, networks = self.settings, state["networks"]
        if not networks.keys() >= set(state["pool"]):
            raise CheckpointError(f"past selves {state['pool']!s:.40} have no networks")
        if not 1 <= state["shards"] <= max(settings.shards, settings.batch_size):
            raise CheckpointError(f"shards is {state['shards']}; expected 1 to {settings.batch_size}")
        for number, weights in networks.items():
            self.networks.setdefault(number, self.new_network()).load_state_dict(weights)
        if self.magnet is not None:
            self.magnet.load_state_dict(state["magnet"])
        if settings.average:
            self.average.load_state_dict(state["average"])
        load_adam(self.optimizer, state["optimizer"])
        self.shards, self.pool = state["shards"], state["pool"]
        for tables, saved in zip(self.tables, state["tables"], strict=True):
            tables.load(saved, networks | self.opponents, settings.num_steps)
        torch.set_rng_state(state["torch_generator"])

    def learned(self) -> Iterator[Tensor]:
        yield from self.networks[LEARNER].parameters()
        for remembered in self.optimizer.state.values():
            yield from remembered.values()

    # -- playing and learning --------------------------------------------------------------

    def train(self) -> None:
        """The training loop."""
        with Console(stderr=True).status("compiling, once on this machine"):
            self.warm_up()
        with self.schedule() as after_iteration:
            while self.done < 1.0:
                self.iterate()
                after_iteration()  # time and progress bar; evaluation and checkpoint when due

    def warm_up(self) -> None:
        """Compile all that the run needs, with a few games that it does not remember."""
        settings, generator = self.settings, torch.get_rng_state()
        network, games, steps = self.new_network(), 8, 8 * self.players
        optimizer = torch.optim.Adam([network.vector], fused=True)
        buffers = new_samples(self.game, [games * (steps + self.players)], settings.recurrent, self.device)
        tables = Tables(self.game, self.options, settings, buffers[0], games, opponent=self.new_opponent())
        tables.play({LEARNER: network}, steps)
        learn(network, optimizer, buffers, settings, left=1.0, imitation=settings.imitation)
        torch.set_rng_state(generator)

    def iterate(self) -> None:
        """One rollout and one update."""
        settings, progress = self.settings, self.progress
        shaping = faded(settings.shaping, settings.shaping_until, self.done)
        imitation = faded(settings.imitation, settings.imitation_until, self.done)

        def play(tables: Tables) -> int:
            waiting = tables.samples.size
            tables.shaping, tables.imitation = shaping, imitation
            tables.play(self.networks | self.opponents, settings.num_steps)
            return tables.samples.size - waiting

        progress.steps += sum(self.workers.map(play, self.tables))
        for tables in self.tables:
            self.clock.take(tables.clock, min(self.workers.threads, len(self.tables)))
        with self.clock("learning"):
            figures = self.learn(imitation)
            self.workers.map(lambda tables: tables.keep_open(), self.tables)
            with torch.no_grad():
                self.average.vector.lerp_(self.networks[LEARNER].vector, 1 - settings.average)
        progress.iteration += 1
        if settings.share_past and progress.iteration % settings.freeze_every_iterations == 0:
            self.freeze()
        if self.magnet is not None and progress.iteration % settings.magnet_iterations == 0:
            self.magnet.load_state_dict(self.networks[LEARNER].state_dict())
        self.log(figures | take_figures(self.tables))

    def learn(self, imitation: float) -> dict[str, float]:
        """One update with the samples of all tables; the figures to log."""
        return learn(
            self.networks[LEARNER],
            self.optimizer,
            [tables.samples for tables in self.tables],
            annealed(self.settings, self.progress.steps),
            1.0 - self.done,
            imitation,
            self.workers,
            self.shards,
            self.magnet,
        )

    def freeze(self) -> None:
        """Add a copy of the learner to the pool of past selves."""
        number, pool = self.progress.iteration, self.pool
        self.networks[number] = self.copy_of_learner()
        pool.append(number)
        if len(pool) > self.settings.pool_size:
            del pool[1]
        needed = {LEARNER, *pool}
        for tables in self.tables:
            tables.choose_rival([*pool, *self.opponents])
            needed.update(tables.player.ravel().tolist())
        for old in self.networks.keys() - needed:
            del self.networks[old]

    # -- measuring --------------------------------------------------------------------------

    def learner(self) -> Policy:
        network = self.average
        layers, cell = network.exported(), network.exported_cell()
        if cell is None:
            return NetworkPolicy(self.game, layers, "relu", name="learner", deterministic=True)
        return RecurrentNetworkPolicy(self.game, layers, cell, "relu", name="learner", deterministic=True)

    def log(self, figures: Mapping[str, float]) -> None:
        for name, figure in figures.items():
            self.writer.add_scalar(name, figure, self.progress.steps)

    def export(self, file: Path) -> None:
        network = self.average
        notes = {"steps": self.progress.steps, "seconds": round(self.progress.seconds)}
        save_network(file, self.game, network.exported(), "relu", notes, network.exported_cell())

    def close(self) -> None:
        self.writer.close()
        super().close()

    def extra_record(self) -> dict[str, Any]:
        self.writer.flush()
        return {"device": str(self.device)}


def main() -> None:
    """Train, evaluate and report."""
    runs.carry_out(lambda: Run(read_settings(sys.argv[1:])))


if __name__ == "__main__":
    main()
