"""PPO in self-play, in one file to be read from top to bottom, and to be changed. Every seat learns.

    python training/ppo.py quatrix

One network plays all seats of many parallel games. The reward of a decision is what its seat receives until
its next one, whoever moves in between; at the end each seat has its payoff. So advantages run backwards along
each seat's decisions. At first the network may imitate the greedy policy, and play against it in some games.

Order of reading: settings, network, `advantages`, `Learner.play` (a rollout), `Learner.learn` (the loss), and
the loop in `main`. `fast_ppo.py` is the same algorithm made fast. After Ctrl-C or kill -9 the same command goes
on from the last checkpoint, with the same result as without the stop.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from polytrix.agents import HeuristicPolicy, NetworkPolicy
from polytrix.core.drivers import EXTERNAL, GREEDY
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import ByteArray, FloatArray, IntArray
from polytrix.learning import sparse
from polytrix.training.shared.arguments import Count, Share, Sizes, Weight, settings_from
from polytrix.training.shared.checkpoints import adam_like, load_adam
from polytrix.training.shared.runs import Clock, check_count, ends_in_words
from polytrix.training.shared.scripts import (
    CLIP_RANGE,
    MAX_GRAD_NORM,
    VALUE_WEIGHT,
    PPOSettings,
    ScriptRun,
    faded,
)


@dataclass(frozen=True)
class Settings(PPOSettings):
    """Settings of a run."""

    num_envs: Count = 512
    num_steps: Count = 64
    batch_size: Count = 2048
    layers: Sizes = (256, 256)
    shaping: Weight = 0.5
    imitation: Weight = 0.0
    """Weight of the cross-entropy with the action of the greedy policy, at the start of the run."""
    imitation_until: Share = 0.15
    """Fraction of the run over which imitation decreases linearly to 0."""
    share_greedy: Share = 0.0
    """Fraction of the games in which one seat learns and the greedy policy plays the others."""


class Network(nn.Module):
    """Hidden layers, then a policy head (logits of the actions) and a value head.

    Observations are mostly 0, and few actions are legal: `polytrix.learning.sparse` computes only what matters.
    """

    scale: Tensor

    def __init__(self, game: Game, layers: tuple[int, ...]) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(game.observations.scale))
        self.first = sparse.Inputs(game.observations.size, layers[0])
        self.hidden = nn.ModuleList(nn.Linear(*each) for each in pairwise(layers))
        self.policy, self.value = nn.Linear(layers[-1], game.actions.size), nn.Linear(layers[-1], 1)
        for layer in (*self.hidden, self.policy, self.value):
            nn.init.orthogonal_(layer.weight, {self.policy: 0.01, self.value: 1.0}.get(layer, 2**0.5))
            nn.init.zeros_(layer.bias)

    def forward(
        self, observation: Tensor | sparse.Entries, legal: Tensor, count: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Log-probabilities of the legal actions (n, W), about -inf beyond them, and values (n,).

        Args:
            observation: (n, O) int8, or their entries.
            legal, count: (n, L) int16 and (n,) int32, the legal actions and their number, at most W.
        """
        x = torch.relu(sparse.first_layer(observation, self.scale, self.first.weight, self.first.bias))
        for layer in self.hidden:
            x = torch.relu(layer(x))
        logits = sparse.legal_logits(x, self.policy, legal[:, : int(count.max())], count)
        return torch.log_softmax(logits, 1), self.value(x).squeeze(1)


class Rollout(NamedTuple):
    """Decisions of a rollout: T steps in B games of P seats."""

    observation: ByteArray  # (T, B, O) what the mover sees
    legal: IntArray  # (T, B, L) what it may do
    num_legal: IntArray  # (T, B) the number of these actions
    mover: IntArray  # (T, B) the seat that decides
    place: IntArray  # (T, B) of the action among the legal ones
    taught: IntArray  # (T, B) that of the greedy policy; 0 if it was not asked
    log_probability: FloatArray  # (T, B) of the action
    value: FloatArray  # (T, B) what the mover's network expects
    potential: FloatArray  # (T, B) the mover's potential, for shaping
    over: npt.NDArray[np.bool_]  # (T, B) whether the game ends with the action
    payoff: FloatArray  # (T, B, P) of each seat, if it does


def advantages(rollout: Rollout, gamma: float, decay: float, shaping: float) -> tuple[FloatArray, Any]:
    """Generalised advantage estimation along each seat's own decisions, from the last step backwards.

    Args:
        rollout: the decisions.
        gamma: discount factor per decision of a seat.
        decay: lambda.
        shaping: weight of the potential.

    Returns:
        Advantages (T, B), and (T, B) whether they are known. They are not for a seat's last decision in a game
        that goes on: its value only stands for what follows the decision before.
    """
    steps, games = rollout.mover.shape
    every = np.arange(games)
    found, known = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.bool_)
    # What follows a seat's decision, (B, P): its reward; value, advantage and potential at its next decision.
    reward, value, advantage, potential = np.zeros((4, *rollout.payoff.shape[1:]), np.float32)
    follows = np.zeros(rollout.payoff.shape[1:], np.bool_)  # whether that is known
    for t in reversed(range(steps)):
        ended = np.flatnonzero(rollout.over[t])
        reward[ended] = rollout.payoff[t, ended]
        value[ended] = advantage[ended] = potential[ended] = 0.0
        follows[ended] = True
        seat = every, rollout.mover[t]
        gained = reward[seat] + shaping * (potential[seat] - rollout.potential[t])
        surprise = gained + gamma * value[seat] - rollout.value[t]
        known[t] = follows[seat]
        found[t] = np.where(known[t], surprise + gamma * decay * advantage[seat], 0.0)
        reward[seat], follows[seat] = 0.0, True
        value[seat], advantage[seat], potential[seat] = rollout.value[t], found[t], rollout.potential[t]
    return found, known


class Learner:
    """PPO (Schulman et al., arXiv 1707.06347, eq. 7 and 9) in self-play.

    Args:
        settings: of the run.
        game, options: what is learned, and the values of all options.
        clock: measures `environment`, `inference` and `learning`.

    Attributes:
        decisions: those learned from or left out so far, of all seats.
    """

    def __init__(self, settings: Settings, game: Game, options: Mapping[str, Any], clock: Clock) -> None:
        self.settings, self.game, self.clock, self.decisions = settings, game, clock, 0
        torch.set_num_threads(1)  # operations of small networks are so short that more threads mostly wait
        torch.manual_seed(settings.seed)
        self.games = Simulator(game, settings.num_envs, options, settings.seed)
        self.greedy = HeuristicPolicy(game) if settings.imitation or settings.share_greedy else None
        met = np.arange(round(settings.share_greedy * settings.num_envs))
        self.games.policy[met] = GREEDY
        self.games.policy[met, met % game.num_players(options)] = EXTERNAL
        self.games.restart()  # up to the first decision of a seat that learns
        self.network = Network(game, settings.layers)
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5, fused=True)

    def iterate(self, done: float) -> dict[str, float]:
        """One rollout and one update; figures to log. `done` is the used fraction of the budget."""
        imitation = faded(self.settings.imitation, self.settings.imitation_until, done)
        rollout = self.play(self.greedy if imitation else None)
        self.decisions += rollout.mover.size
        with self.clock("learning"):
            return self.learn(rollout, 1.0 - done, imitation)

    @torch.no_grad()
    def play(self, teacher: HeuristicPolicy | None = None) -> Rollout:
        """Some decisions in each game. Games that end begin anew. A teacher tells what it would have done."""
        games, steps, rng = self.games, [], np.random.default_rng(self.decisions)
        every = np.arange(self.settings.num_envs)
        for _ in range(self.settings.num_steps):
            seen = games.observation.copy(), games.legal_ids.copy(), games.num_legal.copy(), games.mover.copy()
            with self.clock("inference"):
                likely, value = self.network(*map(torch.from_numpy, seen[:3]))
                place = torch.multinomial(likely.exp(), 1)
                chosen = likely.gather(1, place).squeeze(1).numpy()
                drawn = place.squeeze(1).numpy()
            with self.clock("environment"):
                taught = np.zeros_like(drawn)
                if teacher is not None:
                    its = teacher(games.observation, games.mask, rng)
                    taught = (seen[1] == its[:, None]).argmax(1)
                potential = games.potential()[every, seen[3]]
                games.step(seen[1][every, drawn])
                over, payoff = games.over.copy(), games.reward.copy()
                while games.over.any():  # the greedy policy may end a game before a seat that learns decides
                    games.restart(np.flatnonzero(games.over))
            steps.append((*seen, drawn, taught, chosen, value.numpy(), potential, over, payoff))
        return Rollout(*map(np.stack, zip(*steps, strict=True)))

    def learn(self, rollout: Rollout, left: float, imitation: float = 0.0) -> dict[str, float]:
        """One update with all decisions whose advantage is known; `left` of the run is left. Figures to log."""
        settings, network = self.settings, self.network
        for group in self.optimizer.param_groups:
            group["lr"] = settings.learning_rate * left
        found, known = advantages(rollout, settings.gamma, settings.gae_lambda, settings.shaping)
        kept = np.nonzero(known)
        given = (*rollout[:3], rollout.place, rollout.taught, rollout.log_probability, rollout.value, found)
        observation, legal, count, place, taught, before, value, advantage = (
            torch.from_numpy(x[kept]) for x in given
        )
        seen, target = sparse.entries(observation, network.scale), advantage + value
        batches, figures = max(1, round(len(place) / settings.batch_size)), []
        for _ in range(settings.epochs):
            for rows in torch.randperm(len(place)).tensor_split(batches):
                likely, expected = network(seen.index_select(0, rows), legal[rows], count[rows])
                # The clipped surrogate: no gain from moving a probability further than the range.
                ratio = (likely.gather(1, place[rows, None]).squeeze(1) - before[rows]).exp()
                better = advantage[rows]
                better = (better - better.mean()) / (better.std(correction=0) + 1e-8)
                clipped = ratio.clamp(1 - CLIP_RANGE, 1 + CLIP_RANGE)
                policy_loss = -torch.min(ratio * better, clipped * better).mean()
                value_loss = (expected - target[rows]).square().mean()
                entropy = -(likely.exp() * likely).sum(1).mean()
                loss = policy_loss + VALUE_WEIGHT * value_loss - settings.entropy * left * entropy
                if imitation:
                    loss = loss - imitation * likely.gather(1, taught[rows, None]).mean()
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(network.parameters(), MAX_GRAD_NORM)
                self.optimizer.step()
                figures.append(torch.stack([policy_loss, value_loss, entropy]).detach())
        means = torch.stack(figures).mean(0).tolist()
        return dict(zip(("train/policy_loss", "train/value_loss", "train/entropy"), means, strict=True))

    def policy(self) -> NetworkPolicy:
        """The current policy: it plays the most probable action."""
        net = self.network
        weights = [(net.first.weight, net.first.bias)]
        weights += [(each.weight.T, each.bias) for each in (*net.hidden, net.policy)]
        layers = [(weight.detach().numpy().copy(), bias.detach().numpy().copy()) for weight, bias in weights]
        return NetworkPolicy(self.game, layers, "relu", name="learner", deterministic=True)

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {
            "decisions": self.decisions,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "games": self.games.save(),
            "torch_generator": torch.get_rng_state(),
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        return {**self.state(), "optimizer": adam_like(self.optimizer, state["optimizer"])}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`."""
        check_count(state["decisions"], "decisions")
        self.games.load(state["games"])
        self.network.load_state_dict(state["network"])
        load_adam(self.optimizer, state["optimizer"])
        torch.set_rng_state(state["torch_generator"])
        self.decisions = state["decisions"]


def read_settings(arguments: list[str]) -> Settings:
    """Settings from the game's settings file, overridden by the command line."""
    return settings_from(Settings, arguments, "ppo", __doc__)


def main() -> None:
    """Train, evaluate and report."""
    settings = read_settings(sys.argv[1:])
    with ends_in_words(), ScriptRun(settings, "ppo.py", "ppo-") as run:
        learner = Learner(settings, run.game, run.options, run.clock)
        run.restore(learner)
        while run.goes_on(learner.decisions, learner.policy, learner.state):
            run.log(learner.iterate(run.done))
        run.report(learner.policy)


if __name__ == "__main__":
    main()
