"""Train a policy by self-play with PPO; every seat learns; all cores work.

    python training/fast_ppo.py quatrix           (in a clone)
    polytrix train quatrix                        (anywhere)

One network plays all seats of many parallel games, and every decision of every seat is a sample. Its reward
is what the seat receives until its own next decision, or until the end of the game. In a fraction of the
games only one seat learns; the random policy, the greedy policy or a frozen past self plays the others.

It is the algorithm of `ppo.py` made fast; that file is for reading. What differs: threads play and learn side
by side, in compiled code that skips the zeros of observations (`learner/`). And there may be opponents that do
not learn, and imitation of a heuristic.

In this file: settings, the update, the learner, and the run (`main`). In `learner/`, `rollout.py`
plays the games, `network.py` chooses, and `updates.py` teaches. What all training scripts share (the run's
folder, checkpoints, evaluation, report) is in `shared/`.

Each thread plays a group of games, then computes the gradient of a shard of each minibatch. With a GPU the
network is there.

The run can be stopped at any time (Ctrl-C, kill -9). The same command continues from the last checkpoint,
with the same result as without the stop. It writes the same files as `sb3_ppo.py`, which trains one seat
with Stable-Baselines3.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import torch
from torch import Tensor

import polytrix
from polytrix.agents import HeuristicPolicy, NetworkPolicy, Policy
from polytrix.core.errors import CheckpointError, PolicyError
from polytrix.core.game import Game
from polytrix.core.state import IntArray
from polytrix.learning import sparse
from polytrix.learning.ppo_loss import LOSSES, Weights
from polytrix.learning.samples import Samples, advantages, closed, new_samples
from polytrix.learning.workers import ALONE, Workers
from polytrix.training.exploiters.agent import agent_of
from polytrix.training.learner.network import Network
from polytrix.training.learner.references import Reference, weighted_sum
from polytrix.training.learner.rollout import LEARNER, Rivals, Rollout, RolloutSettings, take_figures
from polytrix.training.learner.updates import update, update_by_pytorch
from polytrix.training.shared.arguments import (
    Amount,
    check_shares,
    network_named,
    settings_from,
)
from polytrix.training.shared.checkpoints import adam_like, load_adam
from polytrix.training.shared.runs import Clock, check_count, ends_in_words
from polytrix.training.shared.scripts import (
    CLIP_RANGE,
    MAX_GRAD_NORM,
    POOL_SIZE,
    VALUE_WEIGHT,
    ScriptRun,
    faded,
)


@dataclass(frozen=True)
class Settings(RolloutSettings):
    """Settings of a run."""

    device: str = "auto"
    """Device of the network: cpu, cuda, or auto (a GPU if there is one)."""
    threads: Amount = 0
    """Number of CPU threads; 0: one for each core that the process may use. Each plays a group of the games and
    learns from a part of each minibatch, so what is learned from a seed depends on it."""

    partners: tuple[str, ...] = ()
    """The agents of `share_partners`, named as in `polytrix arena`: of which one is drawn for each game."""
    network: str = ""
    """Where the learner begins: a saved network, whose layers count instead of `layers`, or the name of a
    baseline; empty: untrained. Give it values first (`training/values.py`), or it loses strength at first."""


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the game's settings file, overridden by the command line."""
    settings = settings_from(Settings, arguments, "fast_ppo", __doc__)
    check_shares(settings.share_random, settings.share_greedy, settings.share_past, settings.share_partners)
    try:
        torch.device("cpu" if settings.device == "auto" else settings.device)
    except RuntimeError:
        raise SystemExit(f"--device is {settings.device!r}; allowed: auto, cpu, cuda, cuda:0, ...") from None
    if settings.share_partners and not settings.partners:
        raise SystemExit("--share-partners needs partners, for example --partners greedy noisy")
    if settings.symmetric and len(polytrix.find(settings.game).symmetries) == 1:
        raise SystemExit(f"{settings.game} has no symmetries; leave out --symmetric")
    if settings.imitation:
        try:
            HeuristicPolicy(polytrix.find(settings.game), settings.teacher)
        except PolicyError as error:
            raise SystemExit(f"--teacher is {settings.teacher!r}: {error}, or leave --imitation at 0") from None
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
    references: Sequence[Reference] = (),
    clip_range: float = CLIP_RANGE,
) -> dict[str, float]:
    """One PPO update with all samples that are not open.

    Args:
        network, optimizer, settings: of the learner.
        buffers: its decisions, from `new_samples`.
        left: remaining fraction of the run; learning rate and entropy bonus fall with it.
        imitation: current weight of the imitation loss.
        workers: threads that share the work.
        shards: number of parts of a minibatch whose gradients they compute.
        references: policies to stay near.
        clip_range: clipping range of the probability ratio.

    Returns:
        Figures to log, with the names that Stable-Baselines3 uses.
    """
    rate = settings.learning_rate * left
    for group in optimizer.param_groups:
        group["lr"] = rate
    given, numbers = prepared(network, buffers, settings, workers)
    if not len(numbers):  # the rollout is so short that no seat has had two decisions
        return {}
    given["reference"] = weighted_sum(references, given, buffers, workers)
    divergence = sum((weight for weight, _ in references), 0.0)  # a whole number would compile anew
    weights = Weights(clip_range, settings.entropy * left, VALUE_WEIGHT, imitation, divergence=divergence)
    batches = max(1, round(len(numbers) / settings.batch_size))
    minibatches = [
        numbers[chosen]
        for _ in range(settings.epochs)
        for chosen in torch.randperm(len(numbers)).to(numbers.device).tensor_split(batches)
    ]
    do = update if network.compiles else update_by_pytorch
    figures = do(network, optimizer, given, minibatches, weights, MAX_GRAD_NORM, workers, shards)
    means = figures.mean(0)[: len(LOSSES)].tolist()
    explained = 1.0 - given["advantage"][numbers].var() / given["target"][numbers].var().clamp(min=1e-12)
    return {
        "train/learning_rate": rate,
        "train/explained_variance": float(explained),
        **{f"train/{name}": mean for name, mean in zip(LOSSES, means, strict=True)},
    }


def prepared(
    network: Network, buffers: Sequence[Samples], settings: Settings, workers: Workers
) -> tuple[dict[str, Any], Tensor]:
    """What is learned from.

    Returns:
        The tensors of `Samples`, with `taught`, `advantage` and `target`, and on the CPU the entries of the
        observations; and the indices (D,) of the closed decisions in them; all on the device of the network.
    """
    whole = buffers[0].whole
    advantage, target = (np.zeros(len(whole["next"]), np.float32) for _ in range(2))

    def estimate(samples: Samples) -> IntArray:
        own = slice(samples.first, samples.first + samples.size)
        advantage[own], target[own] = advantages(samples, settings.gamma, settings.gae_lambda)
        return np.asarray(closed(samples) + samples.first)

    numbers = np.concatenate(workers.map(estimate, buffers))
    given: dict[str, Any] = {name: array for name, array in whole.items() if isinstance(array, Tensor)}
    widest = max(int(samples.count[: samples.size].max()) for samples in buffers if samples.size)
    # Of one layout, whatever the width: for another one Numba would compile the gradient anew.
    given["legal"] = whole["legal"][:, :widest].contiguous()
    found = buffers[0].entries
    if found is not None:

        def put(samples: Samples) -> None:
            sparse.put_entries(samples.observation[: samples.size], network.scale, found, samples.first)

        workers.map(put, buffers)
        given["observation"] = found
    device = whole["value"].device
    for name, computed in {"taught": whole["taught"], "advantage": advantage, "target": target}.items():
        given[name] = torch.from_numpy(computed).to(device)
    return given, torch.from_numpy(numbers).to(device)


# -- what learns ------------------------------------------------------------------------------

FREEZE_EVERY = 20
"""Iterations between two frozen copies of the learner for the pool of past selves, if `share_past` > 0."""
AVERAGED = 20
"""The result is the mean of the weights over about the last 1 / AVERAGED of the iterations (polynomial-decay
averaging, Shamir and Zhang 2013): they move to and fro with the latest games."""


class Learner:
    """PPO in self-play, in which every seat learns.

    Args:
        settings: of the run.
        game, options: what is learned, and the values of all options.
        clock: measures `environment`, `inference` and `learning`.

    Attributes:
        decisions: of the seats that learn, so far.
        iteration: number of iterations so far.
        rollouts: groups of games.
        networks: the learner and past selves, by number.
        mean: of the learner's last weights.
    """

    clip_range = CLIP_RANGE

    def __init__(self, settings: Settings, game: Game, options: Mapping[str, Any], clock: Clock) -> None:
        self.settings, self.game, self.options, self.clock = settings, game, options, clock
        self.decisions = self.iteration = 0
        automatic = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.device(automatic if settings.device == "auto" else settings.device)
        torch.set_num_threads(1)  # of each operation: the workers are the threads
        torch.manual_seed(settings.seed)
        self.workers = Workers(settings.threads)
        on_cpu = self.device.type == "cpu"
        self.shards = self.workers.threads if on_cpu else 1
        self.rollouts = self.new_rollouts(self.workers.threads if on_cpu else 2)
        self.pool: list[int] = []
        self.networks = {LEARNER: self.new_network()}
        self.mean = self.copy_of_learner()
        self.optimizer = torch.optim.Adam([self.networks[LEARNER].vector], eps=1e-5, fused=True)

    def new_rollouts(self, groups: int) -> list[Rollout]:
        """Groups of games at their beginning."""
        game, options, settings = self.game, self.options, self.settings
        sizes = [len(each) for each in np.array_split(np.arange(settings.num_envs), groups) if len(each)]
        capacities = [games * (settings.num_steps + game.num_players(options)) for games in sizes]
        buffers = new_samples(game, capacities, self.device)
        threads = max(1, self.workers.threads // len(sizes))
        return [
            Rollout(game, options, settings, samples, games, first, threads, self.new_partners(), self.rivals())
            for samples, games, first in zip(buffers, sizes, accumulate(sizes, initial=0), strict=False)
        ]

    @cached_property
    def begun_with(self) -> NetworkPolicy | None:
        """The network with which the learner begins; None: an untrained one."""
        name = self.settings.network
        return network_named(name, self.game) if name else None

    def new_partners(self) -> Sequence[Policy]:
        """What plays all seats but one in `share_partners` of a group of games."""
        return [agent_of(self.game, name).contestant.make() for name in self.settings.partners]

    def rivals(self) -> Rivals:
        """The networks that play in `share_past` of the games until there are past selves."""
        return (LEARNER,), (1.0,)

    def new_network(self) -> Network:
        """The network with which the learner begins."""
        begun_with, settings = self.begun_with, self.settings
        if begun_with is None:
            return Network(self.game, settings.layers, self.device)
        return self.network_like(begun_with)

    def network_like(self, policy: NetworkPolicy) -> Network:
        """A network with the weights of a policy.

        Its value is about that of the policy's games against itself, if there are such values: without them the
        first updates would spoil the policy.
        """
        network = Network(self.game, tuple(len(bias) for _, bias in policy.layers[:-1]), self.device)
        network.load(NetworkPolicy(self.game, policy.layers, policy.activation, name=policy.name))
        weight, bias = policy.values or (np.zeros((len(policy.layers[-1][0]), 1)), np.zeros(1))
        with torch.no_grad():
            network.value.weight.copy_(torch.from_numpy(weight[:, :1].T))
            network.value.bias.copy_(torch.from_numpy(bias[:1]))
        return network

    def copy_of_learner(self) -> Network:
        """A network with the learner's weights."""
        network = self.new_network()
        network.load_state_dict(self.networks[LEARNER].state_dict())
        return network

    # -- saving and resuming ---------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {
            "decisions": self.decisions,
            "iteration": self.iteration,
            "networks": {number: network.state_dict() for number, network in self.networks.items()},
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "rollouts": [rollout.save() for rollout in self.rollouts],
            "shards": self.shards,
            "pool": self.pool,
            "torch_generator": torch.get_rng_state(),
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        if len(state["rollouts"]) != len(self.rollouts):  # the run began with another number of threads
            self.rollouts = self.new_rollouts(len(state["rollouts"]))
        weights = self.networks[LEARNER].state_dict()
        return {
            **self.state(),
            "networks": {LEARNER: weights, **dict.fromkeys(state["networks"], weights)},
            "optimizer": adam_like(self.optimizer, state["optimizer"]),
            "rollouts": [
                rollout.state_like(saved)
                for rollout, saved in zip(self.rollouts, state["rollouts"], strict=True)
            ],
            "pool": [0] * len(state["pool"]),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`."""
        networks = state["networks"]
        check_count(state["decisions"], "decisions")
        check_count(state["iteration"], "iteration")
        if not networks.keys() >= set(state["pool"]):
            raise CheckpointError(f"past selves {state['pool']!s:.40} have no networks")
        if not 1 <= state["shards"] <= self.settings.batch_size:
            raise CheckpointError(f"shards is {state['shards']}; expected 1 to {self.settings.batch_size}")
        for number, weights in networks.items():
            self.networks.setdefault(number, self.new_network()).load_state_dict(weights)
        self.mean.load_state_dict(state["mean"])
        load_adam(self.optimizer, state["optimizer"])
        for name in ("decisions", "iteration", "shards", "pool"):
            setattr(self, name, state[name])
        for rollout, saved in zip(self.rollouts, state["rollouts"], strict=True):
            rollout.load(saved, networks, self.settings.num_steps)
        torch.set_rng_state(state["torch_generator"])

    # -- playing and learning --------------------------------------------------------------

    def warm_up(self) -> None:
        """Compile all that the run needs, with a few games that it does not remember."""
        settings, generator = self.settings, torch.get_rng_state()
        players = self.game.num_players(self.options)
        network, games, steps = self.new_network(), 8, 8 * players
        optimizer = torch.optim.Adam([network.vector], fused=True)
        buffers = new_samples(self.game, [games * (steps + players)], self.device)
        rollout = Rollout(self.game, self.options, settings, buffers[0], games, partners=self.new_partners())
        rollout.play({LEARNER: network}, steps)
        near = self.references(0.0)
        learn(network, optimizer, buffers, settings, left=1.0, imitation=settings.imitation, references=near)
        torch.set_rng_state(generator)

    def iterate(self, done: float) -> dict[str, float]:
        """One rollout and one update.

        Args:
            done: fraction of the budget that is used.

        Returns:
            Figures to log.
        """
        settings = self.settings
        shaping, imitation = self.shaping(done), faded(settings.imitation, settings.imitation_until, done)

        def play(rollout: Rollout) -> int:
            waiting = rollout.samples.size
            rollout.shaping, rollout.imitation = shaping, imitation
            rollout.play(self.networks, settings.num_steps)
            return rollout.samples.size - waiting

        self.decisions += sum(self.workers.map(play, self.rollouts))
        for rollout in self.rollouts:
            self.clock.take(rollout.clock, min(self.workers.threads, len(self.rollouts)))
        with self.clock("learning"):
            figures = self.learn(done, imitation)
            self.workers.map(lambda rollout: rollout.samples.keep_open(rollout.open), self.rollouts)
            self.iteration += 1
            with torch.no_grad():
                self.mean.vector.lerp_(self.networks[LEARNER].vector, min(1.0, AVERAGED / self.iteration))
        if settings.share_past and self.iteration % FREEZE_EVERY == 0:
            self.freeze()
        return figures | take_figures(self.rollouts)

    def learn(self, done: float, imitation: float) -> dict[str, float]:
        """One update with the samples of all rollouts; the figures to log."""
        return learn(
            self.networks[LEARNER],
            self.optimizer,
            [rollout.samples for rollout in self.rollouts],
            self.settings,
            1.0 - done,
            imitation,
            self.workers,
            self.shards,
            self.references(done),
            self.clip_range,
        )

    def shaping(self, done: float) -> float:
        """The weight of shaping."""
        return self.settings.shaping

    def references(self, done: float) -> Sequence[Reference]:
        """Policies to stay near."""
        return ()

    def freeze(self) -> None:
        """Add a copy of the learner to the pool of past selves."""
        number, pool = self.iteration, self.pool
        self.networks[number] = self.copy_of_learner()
        pool.append(number)
        if len(pool) > POOL_SIZE:
            del pool[1]
        needed = {LEARNER, *pool}
        for rollout in self.rollouts:
            rollout.choose_rival(pool)
            needed.update(rollout.player.ravel().tolist())
        for old in self.networks.keys() - needed:
            del self.networks[old]

    def policy(self) -> Policy:
        """The current policy: it plays the most probable action."""
        return NetworkPolicy(self.game, self.mean.exported(), "relu", name="learner", deterministic=True)


def carry_out(kind: type[Learner], settings: Settings, script: str, prefix: str) -> None:
    """Train a learner of this kind, evaluate and report; `script` and `prefix` as for `ScriptRun`."""
    with ends_in_words(), ScriptRun(settings, script, prefix) as run:
        learner = kind(settings, run.game, run.options, run.clock)
        run.train(learner, learner.warm_up)
        run.report(learner.policy, device=str(learner.device))


def main() -> None:
    """Carry out a run."""
    carry_out(Learner, read_settings(sys.argv[1:]), "fast_ppo.py", "fast-")


if __name__ == "__main__":
    main()
