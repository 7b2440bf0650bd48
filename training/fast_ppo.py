"""Train a policy by self-play with PPO; every seat learns. One file, to be read from top to bottom.

    python training/fast_ppo.py quatrix           (in a clone)
    polytrix train quatrix                        (anywhere)

One network plays all seats of many parallel games, and every decision of every seat is a sample. Its reward
is what the seat receives until its own next decision, or until the end of the game. In a fraction of the
games only one seat learns; the random policy, the greedy policy or a frozen past self plays the others.

In this file: settings, network, samples, games, the update, and the training loop (`Run.train`). `runs.py`
has what all training scripts share: the run's folder, checkpoints, evaluation and report.

The run can be stopped at any time (Ctrl-C, kill -9). The same command continues from the last checkpoint,
with the same result as without the stop. It writes the same files as `sb3_ppo.py`, which trains one seat
with Stable-Baselines3.
"""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # more threads slow down the evaluation on busy cores

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.tensorboard import SummaryWriter

import polytrix
from polytrix.agents import Cell, HeuristicPolicy, NetworkPolicy, Policy, RecurrentNetworkPolicy, save_network
from polytrix.core import drivers
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, FloatArray, IdArray, IntArray

sys.path.insert(0, str(Path(__file__).parent))
import runs
import sparse
from arguments import SETTINGS, Amount, Count, Positive, Share, Sizes, Weight, check_shares, settings_from


@dataclass(frozen=True)
class Settings(runs.RunSettings):
    """Settings of a run."""

    device: str = "auto"
    """Device of the network: cpu, cuda, or auto (a GPU if there is one)."""
    torch_threads: Count = 1
    """CPU threads of PyTorch. The first and last layer, made for sparse inputs, always use one."""

    num_steps: Count = 32
    """Decisions in each game per rollout."""
    batch_size: Count = 1024
    """Decisions per minibatch."""
    epochs: Count = 2
    """Passes over the rollout per update. A new decision costs less than a pass over an old one."""
    learning_rate: Positive = 1e-3
    """Initial learning rate of Adam; decreases linearly to a tenth over the run."""
    layers: Sizes = (128, 128)
    """Sizes of the hidden layers, shared by policy and value."""
    recurrent: Amount = 0
    """Units of a GRU after the hidden layers, which remembers a seat's earlier decisions; 0: no GRU."""
    unroll: Count = 16
    """Length of backpropagation through time, in decisions of a seat."""
    shaping_until: Share = 0.0
    """Fraction of the run over which shaping decreases linearly to 0; 0: it stays constant."""
    imitation: Weight = 0.0
    """Weight of the cross-entropy with the action of the greedy policy, in the learner's decisions."""
    imitation_games: Share = 0.25
    """Fraction of the games in which the greedy policy is asked; asking can be slower than the game itself."""
    imitation_until: Share = 0.0
    """Fraction of the run over which imitation decreases linearly to 0; 0: it stays constant."""

    share_random: Share = 0.0
    """Fraction of the games in which one seat learns and the random policy plays the others."""
    share_greedy: Share = 0.0
    """Fraction of the games in which one seat learns and the greedy policy plays the others."""
    share_past: Share = 0.0
    """Fraction of the games in which one seat learns and a past self plays the others."""
    freeze_every_iterations: Count = 20
    """Iterations between two frozen copies of the learner for the pool of past selves, if `share_past` > 0."""


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the game's settings file, overridden by the command line."""
    settings = settings_from(Settings, arguments, SETTINGS / "fast_ppo", __doc__)
    check_shares(settings.share_random, settings.share_greedy, settings.share_past)
    try:
        torch.device("cpu" if settings.device == "auto" else settings.device)
    except RuntimeError:
        raise SystemExit(f"--device is {settings.device!r}; allowed: auto, cpu, cuda, cuda:0, ...") from None
    if settings.imitation and polytrix.find(settings.game).greedy is None:
        raise SystemExit(f"{settings.game} has no greedy policy to imitate: leave --imitation at 0")
    return settings


# -- the network ------------------------------------------------------------------------------


class Network(nn.Module):
    """Hidden layers, optionally a GRU, then a policy head (logits of the actions) and a value head.

    Args:
        game: the game that it plays.
        layers: sizes of the hidden layers.
        recurrent: units of the GRU, or 0.
    """

    scale: Tensor

    def __init__(self, game: Game, layers: tuple[int, ...], recurrent: int = 0) -> None:
        super().__init__()
        sizes = [game.observations.size, *layers]
        self.register_buffer("scale", torch.as_tensor(game.observations.scale))
        self.first, *others = (nn.Linear(*each) for each in pairwise(sizes))
        self.others = nn.Sequential(*(module for layer in others for module in (layer, nn.ReLU())))
        self.recall = nn.GRUCell(sizes[-1], recurrent) if recurrent else None
        self.policy = nn.Linear(recurrent or sizes[-1], game.actions.size)
        self.value = nn.Linear(recurrent or sizes[-1], 1)
        gains = {self.policy: 0.01, self.value: 1.0}
        for layer in (self.first, *others, *gains):
            nn.init.orthogonal_(layer.weight, gains.get(layer, 2**0.5))
            nn.init.zeros_(layer.bias)

    def forward(
        self, observation: Tensor, legal: Tensor, count: Tensor, memory: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Policy, value and next memory.

        Args:
            observation: (T * S, O) int8, T consecutive decisions of S seats, ordered by time.
            legal, count: (T * S, W) int16 and (T * S,) int32, the legal actions and their number.
            memory: (S, M), the GRU's state of each seat at time 0.

        Returns:
            Log-probabilities of the legal actions (T * S, W), values (T * S,), memory (S, M).
        """
        weight = self.first.weight.T * self.scale[:, None]
        x = sparse.first_layer(observation, weight, self.first.bias)
        x = self.others(x.relu())
        if self.recall is not None:
            remembered = []
            for now in torch.split(x, len(memory)):
                memory = self.recall(now, memory)
                remembered.append(memory)
            x = torch.cat(remembered)
        logits = sparse.legal_logits(x, self.policy.weight, self.policy.bias, legal, count)
        return torch.log_softmax(logits, 1), self.value(x).squeeze(1), memory

    def exported(self) -> list[tuple[FloatArray, FloatArray]]:
        """The layers from observation to logits, for `NetworkPolicy` and `save_network`."""
        return [
            (array_of(layer.weight).T, array_of(layer.bias))
            for layer in (self.first, *self.others, self.policy)
            if isinstance(layer, nn.Linear)
        ]

    def exported_cell(self) -> Cell | None:
        """The GRU, which is before the last of these layers, if there is one."""
        cell = self.recall
        if cell is None:
            return None
        weights = array_of(cell.weight_ih).T, array_of(cell.weight_hh).T
        return Cell(weights[0], array_of(cell.bias_ih), weights[1], array_of(cell.bias_hh))


def array_of(parameter: Tensor) -> FloatArray:
    """A parameter as a NumPy array."""
    return np.asarray(parameter.detach().cpu().numpy())


def probabilities(log_probabilities: Tensor) -> Tensor:
    """`exp`, computed as a softmax: `exp` is slow where the result is 0."""
    return functional.softmax(log_probabilities, 1)


@torch.no_grad()
def act(
    network: Network, observation: ByteArray, legal: IdArray, count: Any, memory: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Sample an action for each of n decisions.

    Args:
        network: the policy.
        observation, legal, count: (n, O), (n, W) and (n,).
        memory: (n, M).

    Returns:
        Indices into the legal actions (n,), their log-probabilities (n,), values (n,), memory (n, M).
    """
    device = network.scale.device
    given = (torch.from_numpy(each).to(device) for each in (observation, legal, count, memory))
    log_probabilities, value, remembered = network(*given)
    below = probabilities(log_probabilities).cumsum(1)
    place = (below < torch.rand(len(below), 1, device=device) * below[:, -1:]).sum(1)
    log_probability = log_probabilities.gather(1, place[:, None]).squeeze(1)
    return (place.cpu().numpy(), log_probability.cpu().numpy(), value.cpu().numpy(), remembered.cpu().numpy())


# -- samples ----------------------------------------------------------------------------------

END = -1
"""Instead of the index of a seat's next decision: the game has ended."""
OPEN = -2
"""Instead of the index of a seat's next decision: it has not come yet."""

NOBODY = -1
"""Instead of the greedy policy's action: it was not asked."""


class Samples:
    """The rollout buffer: decisions in chronological order, each linked to the next one of the same seat.

    Attributes:
        observation, legal, count: (N, O) int8, (N, L) int16 and (N,) int32, what the seat could see and do.
        place, log_probability, value: (N,), index of the chosen action among the legal ones, and the network's
            outputs.
        taught: (N,), index of the greedy policy's action among the legal ones, or NOBODY.
        potential: (N,) float32, potential of the seat, for shaping.
        memory: (N, M) float32, state of the GRU before the decision.
        reward: (N,) float32, reward until the seat's next decision.
        next: (N,) int64, index of that decision, END or OPEN.
        starts: index of the first decision of each step. A seat has at most one decision per step.
        size: number of decisions; the rest of each array is unused.
    """

    def __init__(self, game: Game, capacity: int, memory: int) -> None:
        self.observation = np.zeros((capacity, game.observations.size), np.int8)
        self.legal = np.zeros((capacity, game.max_legal), np.int16)
        self.count = np.zeros(capacity, np.int32)
        self.place = np.zeros(capacity, np.int64)
        self.taught = np.zeros(capacity, np.int64)
        self.log_probability = np.zeros(capacity, np.float32)
        self.value = np.zeros(capacity, np.float32)
        self.potential = np.zeros(capacity, np.float32)
        self.memory = np.zeros((capacity, memory), np.float32)
        self.reward = np.zeros(capacity, np.float32)
        self.next = np.full(capacity, OPEN, np.int64)
        self.starts: list[int] = []
        self.size = 0

    def add(self, count: int) -> slice:
        """Add the decisions of a step, which are open and have no reward yet; the slice of their indices."""
        new = slice(self.size, self.size + count)
        self.starts.append(self.size)
        self.size += count
        self.reward[new] = 0.0
        self.next[new] = OPEN
        self.taught[new] = NOBODY
        return new

    def arrays(self) -> dict[str, Any]:
        """The used part of each array, by name."""
        return {name: each[: self.size] for name, each in vars(self).items() if isinstance(each, np.ndarray)}

    def keep(self, numbers: IntArray) -> None:
        """Keep only these open decisions, moved to the front."""
        for array in self.arrays().values():
            array[: len(numbers)] = array[numbers]
        self.starts, self.size = [0], len(numbers)


def advantages(samples: Samples, gamma: float, gae_lambda: float) -> FloatArray:
    """Generalised advantage estimation along each seat's own decisions, (N,); 0 for open decisions.

    The value of an open decision bootstraps the decisions before it.
    """
    advantage = np.zeros(samples.size + 1, np.float32)  # index END is the last entry: 0
    value = np.append(samples.value[: samples.size], np.float32(0))
    for start, stop in reversed(list(pairwise([*samples.starts, samples.size]))):
        own = start + np.flatnonzero(samples.next[start:stop] != OPEN)
        after = samples.next[own]
        delta = samples.reward[own] + gamma * value[after] - value[own]
        advantage[own] = delta + gamma * gae_lambda * advantage[after]
    return advantage[:-1]


def pieces(samples: Samples, length: int) -> IntArray:
    """Indices of closed decisions, (length, S); each column has consecutive ones of a seat, padded with -1."""
    following = samples.next[: samples.size]
    closed = following != OPEN
    if length == 1:
        return np.flatnonzero(closed)[None]
    position = np.zeros(samples.size, np.int64)  # number of the decision in its seat's sequence
    for start, stop in pairwise([*samples.starts, samples.size]):
        linked = start + np.flatnonzero(following[start:stop] >= 0)
        position[following[linked]] = position[linked] + 1
    table = np.full((length, int((closed & (position % length == 0)).sum())), -1)
    table[0] = np.flatnonzero(closed & (position % length == 0))
    for time_before in range(length - 1):
        last = table[time_before]
        after = np.where(last >= 0, following[last], -1)
        table[time_before + 1] = np.where((after >= 0) & closed[after], after, -1)
    return table


# -- games ------------------------------------------------------------------------------------

LEARNER = -1
RANDOM = LEARNER - drivers.RANDOM
GREEDY = LEARNER - drivers.GREEDY
"""The player of a seat; past selves have numbers from 0 on."""


class Tables:
    """The parallel games, their players, and the samples collected in them."""

    def __init__(self, game: Game, options: dict[str, Any], settings: Settings) -> None:
        self.settings = settings
        self.players = game.num_players(options)
        games = settings.num_envs
        self.simulator = Simulator(game, games, options, seed=settings.seed)
        self.samples = Samples(game, games * (settings.num_steps + self.players), settings.recurrent)
        self.player = np.full((games, game.max_players), LEARNER)
        self.open = np.full((games, game.max_players), -1)  # index of each seat's open decision
        self.memory = np.zeros((games, game.max_players, settings.recurrent), np.float32)
        self.rng = np.random.default_rng(settings.seed)
        self.pool: list[int] = []
        self.shaping, self.imitation = settings.shaping, settings.imitation  # current weights
        self.teacher = HeuristicPolicy(game) if settings.imitation else None
        self.results: list[tuple[str, float]] = []
        self.lengths: list[float] = []
        self.begin(np.arange(games))

    def begin(self, rows: IntArray) -> None:
        """Start new games with newly drawn players, up to the first decision of a network."""
        settings, simulator = self.settings, self.simulator
        shares = np.cumsum([settings.share_random, settings.share_greedy, settings.share_past])
        while len(rows):
            kind = np.searchsorted(shares, self.rng.random(len(rows)), side="right")
            past = self.rng.choice(self.pool, len(rows)) if self.pool else np.full(len(rows), LEARNER)
            others = np.choose(kind, [RANDOM, GREEDY, past, LEARNER])
            self.player[rows] = others[:, None]
            self.player[rows, self.rng.integers(0, self.players, len(rows))] = LEARNER
            simulator.policy[rows] = np.maximum(LEARNER - self.player[rows], drivers.EXTERNAL)
            self.memory[rows] = 0.0
            simulator.restart(rows)
            rows = rows[simulator.over[rows]]  # ended before a network's first decision

    def ask(self, network: Network, rows: IntArray) -> tuple[IntArray, ...]:
        """A network's actions in some rows, with their index, log-probability and value."""
        simulator = self.simulator
        mover, count = simulator.mover[rows], simulator.num_legal[rows]
        legal = simulator.legal_ids[rows, : count.max()]
        place, log_probability, value, memory = act(
            network, simulator.observation[rows], legal, count, self.memory[rows, mover]
        )
        self.memory[rows, mover] = memory
        return legal[np.arange(len(rows)), place].astype(np.int64), place, log_probability, value  # type: ignore[return-value]

    def record(self, rows: IntArray) -> slice:
        """Add samples of the learner's decisions in some rows, and link each seat's previous one to them."""
        simulator, samples = self.simulator, self.samples
        mover = simulator.mover[rows]
        new = samples.add(len(rows))
        samples.observation[new] = simulator.observation[rows]
        samples.legal[new] = simulator.legal_ids[rows]
        samples.count[new] = simulator.num_legal[rows]
        samples.memory[new] = self.memory[rows, mover]
        if self.teacher is not None and self.imitation:
            asked = rows[rows < self.settings.imitation_games * len(simulator.mover)]
            taught = self.teacher(simulator.observation[asked], simulator.mask[asked], self.rng)
            samples.taught[new][: len(asked)] = (simulator.legal_ids[asked] == taught[:, None]).argmax(1)
        before = self.open[rows, mover]
        linked, numbers = before[before >= 0], np.arange(new.start, new.stop)
        if self.shaping:
            samples.potential[new] = simulator.potential()[rows, mover]
            gained = (
                self.settings.shaping_gamma * samples.potential[new][before >= 0] - samples.potential[linked]
            )
            samples.reward[linked] += self.shaping * gained
        samples.next[linked] = numbers[before >= 0]
        self.open[rows, mover] = numbers
        return new

    def finish(self, rows: IntArray) -> None:
        """Add the payoffs of games that are over, and start the next ones."""
        simulator, samples = self.simulator, self.samples
        seats = self.open[rows] >= 0
        last = self.open[rows][seats]
        samples.reward[last] += simulator.reward[rows][seats]
        if self.shaping:
            samples.reward[last] -= self.shaping * samples.potential[last]
        samples.next[last] = END
        self.open[rows] = -1
        self.lengths += simulator.states["decisions"][rows].tolist()
        for player, reward in zip(self.player[rows], simulator.reward[rows], strict=True):
            if (player != LEARNER).any():
                name = {RANDOM: "random", GREEDY: "greedy"}.get(player[player != LEARNER][0], "self")
                self.results.append((name, float(reward[player == LEARNER][0] > 0)))
        self.begin(rows)

    def step(self, networks: dict[int, Network], clock: runs.Clock) -> None:
        """Make one decision in each game, by the learner or a past self."""
        simulator, samples = self.simulator, self.samples
        player = self.player[np.arange(len(simulator.mover)), simulator.mover]
        actions = np.zeros(len(player), np.int64)
        for number in np.unique(player):
            rows = np.flatnonzero(player == number)
            if number != LEARNER:
                with clock("inference"):
                    actions[rows] = self.ask(networks[number], rows)[0]
                continue
            with clock("environment"):
                new = self.record(rows)
            with clock("inference"):
                actions[rows], *chosen = self.ask(networks[LEARNER], rows)
                samples.place[new], samples.log_probability[new], samples.value[new] = chosen
        with clock("environment"):
            simulator.step(actions)
            self.finish(np.flatnonzero(simulator.over))

    def take_figures(self) -> dict[str, float]:
        """Figures to log about the games finished since the last call."""
        figures = {"rollout/ep_len_mean": float(np.mean(self.lengths))} if self.lengths else {}
        for name in sorted({name for name, _ in self.results}):
            figures[f"wins/{name}"] = float(np.mean([won for each, won in self.results if each == name]))
        self.results, self.lengths = [], []
        return figures

    def keep_open(self) -> None:
        """Drop all samples except open ones, which are learned from in the next update."""
        waiting = np.flatnonzero(self.samples.next[: self.samples.size] == OPEN)
        number = np.full(self.samples.size, -1)
        number[waiting] = np.arange(len(waiting))
        self.open = np.where(self.open >= 0, number[self.open], -1)
        self.samples.keep(waiting)

    def save(self) -> dict[str, Any]:
        """Everything needed to continue the games; to be called when all samples are open."""
        return {
            "simulator": self.simulator.save(),
            "policy": self.simulator.policy,
            "samples": self.samples.arrays(),
            "rng": self.rng.bit_generator.state,
            **{name: getattr(self, name) for name in ("player", "open", "memory", "pool")},
        }

    def load(self, state: dict[str, Any]) -> None:
        """Continue from a result of `save`."""
        self.simulator.policy[:] = state["policy"]
        self.simulator.load(state["simulator"])
        self.samples.size = len(state["samples"]["next"])
        self.samples.starts = [0]
        for name, array in self.samples.arrays().items():
            array[:] = state["samples"][name]
        self.rng.bit_generator.state = state["rng"]
        for name in ("player", "open", "memory", "pool"):
            setattr(self, name, state[name])


# -- learning ---------------------------------------------------------------------------------


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    settings: Settings,
    left: float,
    imitation: float = 0.0,
) -> dict[str, float]:
    """One PPO update with all samples that are not open.

    Args:
        network, optimizer, settings: of the learner.
        samples: its decisions.
        left: remaining fraction of the run, for the learning rate.
        imitation: current weight of the imitation loss.

    Returns:
        Figures to log, with the names that Stable-Baselines3 uses.
    """
    device = network.scale.device
    rate = settings.learning_rate * (0.1 + 0.9 * left)
    for group in optimizer.param_groups:
        group["lr"] = rate
    advantage = advantages(samples, settings.gamma, settings.gae_lambda)
    target = advantage + samples.value[: samples.size]
    table = pieces(samples, settings.unroll if settings.recurrent else 1)
    used = table[table >= 0]
    if not len(used):  # the rollout is so short that no seat has had two decisions
        return {}
    columns_of = torch.from_numpy(table)
    batches = max(1, round(len(used) / settings.batch_size))
    given = {name: torch.from_numpy(each).to(device) for name, each in samples.arrays().items()}
    given |= {
        "advantage": torch.from_numpy(advantage).to(device),
        "target": torch.from_numpy(target).to(device),
    }
    losses = []
    for _ in range(settings.epochs):
        for columns in torch.randperm(table.shape[1]).tensor_split(batches):
            numbers = columns_of[:, columns].to(device)
            loss, parts = loss_of(network, given, numbers, settings, imitation)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), settings.max_grad_norm)
            optimizer.step()
            losses.append(parts)
    means = torch.stack(losses).mean(0).tolist()
    explained = 1.0 - float(np.var(advantage[used])) / max(float(np.var(target[used])), 1e-12)
    return {
        "train/learning_rate": rate,
        "train/explained_variance": explained,
        **{f"train/{name}": mean for name, mean in zip(LOSSES, means, strict=True)},
    }


LOSSES = ("loss", "policy_gradient_loss", "entropy_loss", "value_loss", "approx_kl", "clip_fraction")


def loss_of(
    network: Network, given: dict[str, Tensor], numbers: Tensor, settings: Settings, imitation: float
) -> tuple[Tensor, Tensor]:
    """The loss of a minibatch, and the figures named in `LOSSES`.

    Args:
        network: the learner.
        given: the arrays of `Samples`, with `advantage` and `target`.
        numbers: (T, S) indices of the minibatch, columns as from `pieces`.
        settings: of the run.
        imitation: current weight of the imitation loss.
    """
    memory = given["memory"][numbers[0]]
    here = numbers.ravel() >= 0
    numbers = numbers.ravel().clamp(min=0)
    count = given["count"][numbers]
    legal = given["legal"][numbers, : int(count.max())]
    log_probabilities, value, _ = network(given["observation"][numbers], legal, count, memory)
    log_probability = log_probabilities.gather(1, given["place"][numbers, None]).squeeze(1)
    entropy = -(probabilities(log_probabilities) * log_probabilities).sum(1)
    change = (log_probability - given["log_probability"][numbers])[here]
    ratio = change.exp()
    advantage = given["advantage"][numbers][here]
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
    policy_loss = -torch.minimum(advantage * ratio, advantage * clipped).mean()
    value_loss = functional.mse_loss(value[here], given["target"][numbers][here])
    entropy_loss = -entropy[here].mean()
    loss = policy_loss + settings.entropy * entropy_loss + settings.value_weight * value_loss
    if imitation:
        taught = given["taught"][numbers]
        asked = here & (taught != NOBODY)
        right = log_probabilities[asked].gather(1, taught[asked, None])
        loss = loss - imitation * right.sum() / max(1, len(right))
    kl = (ratio - 1 - change).mean()
    outside = ((ratio - 1).abs() > settings.clip_range).float().mean()
    return loss, torch.stack([loss, policy_loss, entropy_loss, value_loss, kl, outside]).detach()


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

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, "fast_ppo.py", prefix="fast-")
        automatic = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.device(automatic if settings.device == "auto" else settings.device)
        torch.set_num_threads(settings.torch_threads)
        torch.manual_seed(settings.seed)
        self.tables = Tables(self.game, self.options, settings)
        self.networks = {LEARNER: self.new_network()}
        self.optimizer = torch.optim.Adam(self.networks[LEARNER].parameters(), eps=1e-5, fused=True)
        self.restore()
        self.writer = SummaryWriter(str(self.folder / "tensorboard"), purge_step=self.progress.steps)

    def new_network(self) -> Network:
        """An untrained network for the game."""
        return Network(self.game, self.settings.layers, self.settings.recurrent).to(self.device)

    # -- saving and resuming ---------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        return {
            "networks": {number: network.state_dict() for number, network in self.networks.items()},
            "optimizer": self.optimizer.state_dict(),
            "tables": self.tables.save(),
            "torch_generator": torch.get_rng_state(),
            "cuda_generators": torch.cuda.get_rng_state_all(),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        for number, weights in state["networks"].items():
            self.networks.setdefault(number, self.new_network()).load_state_dict(weights)
        self.optimizer.load_state_dict(state["optimizer"])
        self.tables.load(state["tables"])
        torch.set_rng_state(state["torch_generator"])
        torch.cuda.set_rng_state_all(state["cuda_generators"])

    def learned(self) -> Iterator[Tensor]:
        yield from self.networks[LEARNER].parameters()
        for remembered in self.optimizer.state.values():
            yield from remembered.values()

    # -- playing and learning --------------------------------------------------------------

    def train(self) -> None:
        """The training loop."""
        with self.schedule() as after_iteration:
            while self.done < 1.0:
                self.iterate()
                after_iteration()  # time and progress bar; evaluation and checkpoint when due

    def iterate(self) -> None:
        """One rollout and one update."""
        settings, progress, tables = self.settings, self.progress, self.tables
        waiting = tables.samples.size
        tables.shaping = faded(settings.shaping, settings.shaping_until, self.done)
        tables.imitation = faded(settings.imitation, settings.imitation_until, self.done)
        for _ in range(settings.num_steps):
            tables.step(self.networks, self.clock)
        progress.steps += tables.samples.size - waiting
        with self.clock("learning"):
            learner, left = self.networks[LEARNER], 1.0 - self.done
            figures = learn(learner, self.optimizer, tables.samples, settings, left, tables.imitation)
            tables.keep_open()
        progress.iteration += 1
        if settings.share_past and progress.iteration % settings.freeze_every_iterations == 0:
            self.freeze()
        figures["charts/steps_per_second"] = progress.steps / max(progress.seconds, 1e-9)
        self.log(figures | tables.take_figures())

    def freeze(self) -> None:
        """Add a copy of the learner to the pool of past selves."""
        number, pool = self.progress.iteration, self.tables.pool
        self.networks[number] = copy.deepcopy(self.networks[LEARNER])
        pool.append(number)
        if len(pool) > self.settings.pool_size:
            del pool[1]
        for old in set(self.networks) - {LEARNER, *pool, *self.tables.player.ravel().tolist()}:
            del self.networks[old]

    # -- measuring --------------------------------------------------------------------------

    def learner(self) -> Policy:
        network = self.networks[LEARNER]
        layers, cell = network.exported(), network.exported_cell()
        if cell is None:
            return NetworkPolicy(self.game, layers, "relu", name="learner", deterministic=True)
        return RecurrentNetworkPolicy(self.game, layers, cell, "relu", name="learner", deterministic=True)

    def log(self, figures: Mapping[str, float]) -> None:
        for name, figure in figures.items():
            self.writer.add_scalar(name, figure, self.progress.steps)

    def export(self, file: Path) -> None:
        network = self.networks[LEARNER]
        notes = {"steps": self.progress.steps, "seconds": round(self.progress.seconds)}
        save_network(file, self.game, network.exported(), "relu", notes, network.exported_cell())

    def extra_record(self) -> dict[str, Any]:
        self.writer.flush()
        return {"device": str(self.device)}


if __name__ == "__main__":
    runs.carry_out(lambda: Run(read_settings(sys.argv[1:])))
