"""Train a policy by self-play with PPO, every seat learning: one file, read from top to bottom.

    python training/fast_ppo.py quatrix

One network plays all seats of many games at once, and every decision of every seat is a sample:
its reward is what the seat gets until its own next decision, or to the end, with its own payoff.
In a share of the games only one seat learns, and in the others sit the random policy, the greedy
one, or a frozen copy of an earlier self. Stop it at any time (Ctrl-C, kill -9): the same command
goes on where the last checkpoint was, as if nothing had happened. It leaves the same files as
`sb3_ppo.py`, which does the same with Stable-Baselines3, one seat learning.
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

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for evaluation; threads of its own spin on busy cores

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
from arguments import SETTINGS, Amount, Count, Positive, Share, Sizes, Weight, settings_from


@dataclass(frozen=True)
class Settings(runs.RunSettings):
    """Everything that shapes a run."""

    device: str = "auto"
    """Of the network: cpu, cuda, or auto, which is a GPU where there is one."""
    torch_threads: Count = 1
    """CPU threads of the network's square layers. The wide ones, made for sparse inputs, have one."""

    num_steps: Count = 32
    """Decisions in each game between two updates."""
    batch_size: Count = 1024
    """Decisions in a gradient step."""
    epochs: Count = 2
    """Passes over the decisions of an update. A new decision costs less than a pass over an old one."""
    learning_rate: Positive = 1e-3
    """Of Adam; falls linearly to a tenth over the run."""
    layers: Sizes = (128, 128)
    """Hidden layers, shared by policy and value."""
    recurrent: Amount = 0
    """Units of a GRU behind the hidden layers, which remembers a seat's earlier decisions; 0: none."""
    unroll: Count = 16
    """Decisions of a seat that gradients flow back through the GRU."""
    shaping_until: Share = 0.0
    """Share of the run after which the shaping has faded out, linearly; 0: it stays as it is."""
    imitation: Weight = 0.0
    """Weight of the cross-entropy with what the greedy policy would have done in the learner's decisions."""
    imitation_games: Share = 0.25
    """Share of the games in which the greedy policy is asked. It may think for longer than the game takes."""
    imitation_until: Share = 0.0
    """Share of the run after which the imitation has faded out, linearly; 0: it stays as it is."""

    share_random: Share = 0.0
    """Share of the games in which one seat learns and the random policy has the others."""
    share_greedy: Share = 0.0
    """Share of the games in which one seat learns and the greedy policy has the others."""
    share_past: Share = 0.0
    """Share of the games in which one seat learns and a past self has the others."""
    freeze_every_iterations: Count = 20
    """A frozen copy of the learner joins the pool of past selves this often, if they have a share."""


def read_settings(arguments: list[str]) -> Settings:
    """The game's settings file for this script, overridden by the command line."""
    settings = settings_from(Settings, arguments, SETTINGS / "fast_ppo", __doc__)
    if settings.share_random + settings.share_greedy + settings.share_past > 1:
        raise SystemExit(
            "share_random, share_greedy and share_past are shares of all games: their sum is above 1"
        )
    try:
        torch.device("cpu" if settings.device == "auto" else settings.device)
    except RuntimeError:
        raise SystemExit(f"--device is {settings.device!r}; allowed: auto, cpu, cuda, cuda:0, ...") from None
    if settings.imitation and polytrix.find(settings.game).greedy is None:
        raise SystemExit(f"{settings.game} has no greedy policy to imitate: leave --imitation at 0")
    return settings


# -- the network ------------------------------------------------------------------------------


class Network(nn.Module):
    """Hidden layers, a GRU where wanted, and behind them the logits of the actions and the value.

    Args:
        game: what it plays.
        layers: units of the hidden layers.
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
        """What to do, how good the position is, and what to remember.

        Args:
            observation: (T * S, O) int8, the decisions of S seats: first those of time 0, then of time 1, ...
            legal, count: (T * S, W) int16 and (T * S,) int32, the legal actions.
            memory: (S, M), what the seats remember at time 0.

        Returns:
            Logarithms of the legal actions' probabilities (T * S, W), values (T * S,), memory (S, M).
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
        """The GRU between the last two of them, if there is one."""
        cell = self.recall
        if cell is None:
            return None
        weights = array_of(cell.weight_ih).T, array_of(cell.weight_hh).T
        return Cell(weights[0], array_of(cell.bias_ih), weights[1], array_of(cell.bias_hh))


def array_of(parameter: Tensor) -> FloatArray:
    """The values of a parameter, wherever it is."""
    return np.asarray(parameter.detach().cpu().numpy())


def probabilities(log_probabilities: Tensor) -> Tensor:
    """The exponential; as a softmax, since `exp` is slow where the result is 0."""
    return functional.softmax(log_probabilities, 1)


@torch.no_grad()
def act(
    network: Network, observation: ByteArray, legal: IdArray, count: Any, memory: FloatArray
) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Choose among the legal actions of some decisions.

    Args:
        network: who chooses.
        observation, legal, count: (n, O), (n, W) and (n,).
        memory: (n, M).

    Returns:
        Places among the legal actions (n,), logarithms of their probabilities (n,), values (n,), memory (n, M).
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
"""In the place of a seat's next decision: there is none, the game has ended."""
OPEN = -2
"""In the place of a seat's next decision: it has not come yet."""

NOBODY = -1
"""In the place of what the greedy policy would have done: it was not asked."""


class Samples:
    """Decisions in the order in which they were made, each with the next one of the same seat.

    Attributes:
        observation, legal, count: (N, O) int8, (N, L) int16 and (N,) int32, what the seat saw and could do.
        place, log_probability, value: (N,), which of the legal actions it took, and what the network said.
        taught: (N,), which of the legal actions the greedy policy would have taken; NOBODY if it was not asked.
        potential: (N,) float32, of the seat.
        memory: (N, M) float32, what the seat remembered before.
        reward: (N,) float32, what came until its next decision.
        next: (N,) int64, that decision's number here, END or OPEN.
        starts: where the decisions of each step begin. No seat has two in one step.
        size: how many decisions there are; later places are unused.
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
        """Make room for the decisions of a step; they are open, and nothing has come of them yet."""
        new = slice(self.size, self.size + count)
        self.starts.append(self.size)
        self.size += count
        self.reward[new] = 0.0
        self.next[new] = OPEN
        self.taught[new] = NOBODY
        return new

    def arrays(self) -> dict[str, Any]:
        """All that there is about the decisions, by name."""
        return {name: each[: self.size] for name, each in vars(self).items() if isinstance(each, np.ndarray)}

    def keep(self, numbers: IntArray) -> None:
        """Forget all decisions but these open ones, which come to the front."""
        for array in self.arrays().values():
            array[: len(numbers)] = array[numbers]
        self.starts, self.size = [0], len(numbers)


def advantages(samples: Samples, gamma: float, gae_lambda: float) -> FloatArray:
    """Generalised advantage estimates along each seat's own decisions, (N,); 0 where a decision is open.

    The value of an open decision stands for what follows it.
    """
    advantage = np.zeros(samples.size + 1, np.float32)  # END is the last one: 0
    value = np.append(samples.value[: samples.size], np.float32(0))
    for start, stop in reversed(list(pairwise([*samples.starts, samples.size]))):
        own = start + np.flatnonzero(samples.next[start:stop] != OPEN)
        after = samples.next[own]
        surprise = samples.reward[own] + gamma * value[after] - value[own]
        advantage[own] = surprise + gamma * gae_lambda * advantage[after]
    return advantage[:-1]


def pieces(samples: Samples, length: int) -> IntArray:
    """The decisions that are not open, (length, S): in each column consecutive ones of a seat, then -1."""
    following = samples.next[: samples.size]
    closed = following != OPEN
    if length == 1:
        return np.flatnonzero(closed)[None]
    position = np.zeros(samples.size, np.int64)  # in the seat's row of decisions
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
"""Who has a seat; past selves have their own numbers, from 0 on."""


class Tables:
    """Many games, their players, and the samples that come of them."""

    def __init__(self, game: Game, options: dict[str, Any], settings: Settings) -> None:
        self.settings = settings
        self.players = game.num_players(options)
        games = settings.num_envs
        self.simulator = Simulator(game, games, options, seed=settings.seed)
        self.samples = Samples(game, games * (settings.num_steps + self.players), settings.recurrent)
        self.player = np.full((games, game.max_players), LEARNER)
        self.open = np.full((games, game.max_players), -1)  # the number of each seat's open decision
        self.memory = np.zeros((games, game.max_players, settings.recurrent), np.float32)
        self.rng = np.random.default_rng(settings.seed)
        self.pool: list[int] = []
        self.shaping, self.imitation = settings.shaping, settings.imitation  # weights, which fade
        self.teacher = HeuristicPolicy(game) if settings.imitation else None
        self.results: list[tuple[str, float]] = []
        self.lengths: list[float] = []
        self.begin(np.arange(games))

    def begin(self, rows: IntArray) -> None:
        """Begin new games, with players drawn anew, until a network is to move in each."""
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
            rows = rows[simulator.over[rows]]  # ended before a network could move

    def ask(self, network: Network, rows: IntArray) -> tuple[IntArray, ...]:
        """What a network does in some rows, and the place, log-probability and value of it."""
        simulator = self.simulator
        mover, count = simulator.mover[rows], simulator.num_legal[rows]
        legal = simulator.legal_ids[rows, : count.max()]
        place, log_probability, value, memory = act(
            network, simulator.observation[rows], legal, count, self.memory[rows, mover]
        )
        self.memory[rows, mover] = memory
        return legal[np.arange(len(rows)), place].astype(np.int64), place, log_probability, value  # type: ignore[return-value]

    def record(self, rows: IntArray) -> slice:
        """New samples of the learner's decisions in some rows, as links in the chains of their seats."""
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
        """Pay all seats of games that are over, and begin the next ones."""
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
        """One decision in each game, by the learner or a past self."""
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
        """What to log of the games that were finished since the last call."""
        figures = {"rollout/ep_len_mean": float(np.mean(self.lengths))} if self.lengths else {}
        for name in sorted({name for name, _ in self.results}):
            figures[f"wins/{name}"] = float(np.mean([won for each, won in self.results if each == name]))
        self.results, self.lengths = [], []
        return figures

    def keep_open(self) -> None:
        """Forget all samples but those whose next decision has not come: they wait for the next update."""
        waiting = np.flatnonzero(self.samples.next[: self.samples.size] == OPEN)
        number = np.full(self.samples.size, -1)
        number[waiting] = np.arange(len(waiting))
        self.open = np.where(self.open >= 0, number[self.open], -1)
        self.samples.keep(waiting)

    def save(self) -> dict[str, Any]:
        """Everything that the future of the games depends on, at a time when all samples are open."""
        return {
            "simulator": self.simulator.save(),
            "policy": self.simulator.policy,
            "samples": self.samples.arrays(),
            "rng": self.rng.bit_generator.state,
            **{name: getattr(self, name) for name in ("player", "open", "memory", "pool")},
        }

    def load(self, state: dict[str, Any]) -> None:
        """Go on from what `save` gave."""
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
    """An update of PPO with all samples that are not open.

    Args:
        network, optimizer, settings: of the learner.
        samples: its decisions.
        left: share of the run that is still to come, for the learning rate.
        imitation: its present weight.

    Returns:
        What to log, by the names that Stable-Baselines3 uses.
    """
    device = network.scale.device
    rate = settings.learning_rate * (0.1 + 0.9 * left)
    for group in optimizer.param_groups:
        group["lr"] = rate
    advantage = advantages(samples, settings.gamma, settings.gae_lambda)
    target = advantage + samples.value[: samples.size]
    table = pieces(samples, settings.unroll if settings.recurrent else 1)
    used = table[table >= 0]
    if not len(used):  # so short a round that no seat has had two decisions
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
    """The loss of a minibatch, and the `LOSSES` for the log.

    Args:
        network: the learner.
        given: the arrays of `Samples`, with `advantage` and `target`.
        numbers: (T, S) which of them, columns as from `pieces`.
        settings: of the run.
        imitation: its present weight.
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
    """A weight that falls linearly to 0 at a share `until` of the run; if that is 0, it stays.

    >>> faded(2.0, 0.5, 0.25), faded(2.0, 0.5, 0.75), faded(2.0, 0.0, 0.75)
    (1.0, 0.0, 2.0)
    """
    return weight * max(0.0, 1.0 - done / until) if until else weight


class Run(runs.Run):
    """A run with every seat learning."""

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
        """A network for the game, untrained."""
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
                after_iteration()  # progress bar; points of the curve and checkpoints when they are due

    def iterate(self) -> None:
        """One round of playing and one update."""
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
        """Put a copy of the learner into the pool of past selves."""
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
