"""Deep Monte-Carlo, as in DouZero (Zha et al., arXiv 2106.06135, section 4.1 and algorithm 1).

The network learns Q(s, a), what a seat's choice of the action a in the situation s brings it, by the squared
error from what it has brought: the return G, the discounted sum of the seat's rewards until the game ends.
Nothing is bootstrapped, so each decision waits for its return. All seats choose the action of the highest Q or,
with probability epsilon, any legal action.

DouZero's network reads an action as a part of its input, and its rewards are not discounted. This one has an
output for each action, like the networks of the other algorithms, and Q(s, a) = V(s) + A(s, a) (dueling heads,
Wang et al., arXiv 1511.06581): the value head V learns the returns of a situation, whatever is chosen, and the
policy head A what remains. Most of a return does not depend on the choice, and would hide what does.

Some of our games need not end, and two seats that hardly ever leave the highest Q of an untrained network may
block each other for ever. So epsilon is 1 at first. And Q is learned in units of the returns, which are small
while shaping is all there is: otherwise it drowns in the steps of Adam, whose size does not depend on them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from polytrix.agents import NetworkPolicy, Policy
from polytrix.core.errors import CheckpointError
from polytrix.core.state import FloatArray, IntArray
from polytrix.learning import sparse
from polytrix.learning.advantages import OPEN
from polytrix.training.fast_ppo import Settings
from polytrix.training.learner.network import Network
from polytrix.training.learner.rollout import LEARNER, Rollout, take_figures
from polytrix.training.learner.samples import Samples, compiled, new_samples
from polytrix.training.learner.updates import descend
from polytrix.training.shared.checkpoints import adam_like, load_adam
from polytrix.training.shared.runs import check_count
from polytrix.training.shared.scripts import MAX_GRAD_NORM
from polytrix.training.trials.runs import carry_out, ppo_settings
from polytrix.training.trials.trial import Trial

EPSILON = 0.05
EXPLORING = 0.25
"""Fraction of the budget over which epsilon decreases linearly from 1 to `EPSILON`."""
MEMORY = 0.95
"""How much of the unit of the returns remains after an update."""
LEAST = 1e-3
"""Least unit of the returns."""
GAMMA = 0.97
"""Discount factor. With one near 1, nothing of the shaping would be left in a return: it is a difference of
potentials, and that at the end of a game is 0."""
SETTINGS: dict[str, Any] = {"num_envs": 256, "learning_rate": 3e-4, "gamma": GAMMA}
"""Settings that differ from those of the other algorithms. Steps are smaller, since any error of Q changes the
best action. Shaping does not fade: the end of a long game is too far away to count in a return, so where
there is no shaping, two seats of Quatrix come to block each other."""
NEGLIGIBLE = 0.02
"""A return is complete when its game has ended, or when what may still come counts for less than this."""
EPOCHS = 2
"""Passes over the complete decisions."""
SHARPNESS = 200.0
"""Logits of the result are Q times this: who samples from it hardly ever leaves the highest Q."""


def train(trial: Trial) -> None:
    """Learn by Deep Monte-Carlo in self-play."""
    carry_out(trial, Learner(trial, **SETTINGS))


class Games(Rollout):
    """Games in which all seats choose by Q. Decisions are kept until their returns are complete."""

    settings: Settings
    epsilon = 1.0

    def decide(self, network: Network, rows: IntArray, drawn: Tensor, samples: Samples) -> Tensor:
        new = self.show(rows, samples)
        legal, count = samples.legal[new, : int(self.simulator.num_legal[rows].max())], samples.count[new]
        with self.clock("inference"), torch.no_grad():
            best = network(samples.observation[new], legal, count)[0].argmax(1)
            place = torch.where(drawn < self.epsilon, (drawn / self.epsilon * count).long(), best)
        samples.place[new] = place
        return legal.gather(1, place[:, None]).squeeze(1).long()

    def keep_open(self) -> None:
        """Drop the decisions whose returns are complete."""
        samples = self.samples
        left, _ = returns(samples.next[: samples.size], samples.reward, self.settings.gamma)
        self.keep(np.flatnonzero(left >= NEGLIGIBLE))


class Learner:
    """A learner of Q in the place of a policy.

    Args:
        trial: what is to be learned.
        settings: settings of `fast_ppo.py` that differ from those of all algorithms.

    Attributes:
        decisions: made so far.
        square: running mean of the squared returns, whose root is their unit; 0: there has been none.
    """

    def __init__(self, trial: Trial, **settings: Any) -> None:
        self.game, self.options, self.clock = trial.game, trial.options, trial.clock
        self.settings = ppo_settings(trial, **settings)
        self.decisions, self.square = 0, 0.0
        torch.set_num_threads(1)
        torch.manual_seed(self.settings.seed)
        self.network, self.games = Network(self.game, self.settings.layers), self.new_games()
        self.optimizer = torch.optim.Adam([self.network.vector], eps=1e-5, fused=True)

    def new_games(self) -> Games:
        """Games at their beginning, with space for all decisions that wait for their returns."""
        settings, players = self.settings, self.game.num_players(self.options)
        waiting = 1 + math.ceil(math.log(NEGLIGIBLE) / math.log(settings.gamma))
        capacity = settings.num_envs * (settings.num_steps + players * waiting)
        (samples,) = new_samples(self.game, [capacity], torch.device("cpu"))
        return Games(self.game, self.options, settings, samples, settings.num_envs)

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {
            "decisions": self.decisions,
            "square": self.square,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "games": self.games.save(),
            "torch_generator": torch.get_rng_state(),
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        optimizer = adam_like(self.optimizer, state["optimizer"])
        return {**self.state(), "optimizer": optimizer, "games": self.games.state_like(state["games"])}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`."""
        check_count(state["decisions"], "decisions")
        if state["square"] < 0.0:
            raise CheckpointError(f"square is {state['square']}; expected 0 or more")
        self.games.load(state["games"], {LEARNER}, self.settings.num_steps)
        self.network.load_state_dict(state["network"])
        load_adam(self.optimizer, state["optimizer"])
        self.decisions, self.square = state["decisions"], state["square"]
        torch.set_rng_state(state["torch_generator"])

    def warm_up(self) -> None:
        """Compile all that the trial needs."""
        with torch.random.fork_rng(devices=[]):
            network, games = Network(self.game, self.settings.layers), self.new_games()
            games.play({LEARNER: network}, 2 * games.players)
            chosen = np.arange(games.samples.size)
            returns(games.samples.next[chosen], games.samples.reward, 1.0)
            optimizer = torch.optim.Adam([network.vector])
            fit(network, optimizer, games.samples, chosen, games.samples.reward[chosen], self.settings)

    def iterate(self, done: float) -> dict[str, float]:
        """Some decisions in each game, and learning from those whose returns are complete; figures to log."""
        games, settings = self.games, self.settings
        waiting = games.samples.size
        games.epsilon = max(EPSILON, 1.0 - done / EXPLORING)
        games.play({LEARNER: self.network}, settings.num_steps)
        self.decisions += games.samples.size - waiting
        self.clock.take(games.clock)
        with self.clock("learning"):
            figures = self.learn(done)
            games.keep_open()
        return figures | take_figures([games])

    @property
    def unit(self) -> float:
        """In which returns are learned."""
        return max(math.sqrt(self.square), LEAST)

    def learn(self, done: float) -> dict[str, float]:
        """Learn the returns that are complete."""
        samples, settings = self.games.samples, self.settings
        left, gained = returns(samples.next[: samples.size], samples.reward, settings.gamma)
        chosen = np.flatnonzero(left < NEGLIGIBLE)
        if not len(chosen):
            return {}
        rate = settings.learning_rate * (1.0 - 0.9 * done)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        square = float(np.square(gained[chosen]).mean())
        self.square = MEMORY * self.square + (1.0 - MEMORY) * square if self.square else square
        gained = gained[chosen] / np.float32(self.unit)
        error = fit(self.network, self.optimizer, samples, chosen, gained, settings)
        explained = 1.0 - error / max(float(gained.var()), 1e-12)
        return {"train/learning_rate": rate, "train/value_loss": error, "train/explained_variance": explained}

    def policy(self) -> Policy:
        """The current policy: it hardly ever leaves the highest Q."""
        *hidden, (weight, bias) = self.network.exported()
        layers = [*hidden, (weight * SHARPNESS, bias * SHARPNESS)]
        return NetworkPolicy(self.game, layers, "relu", name="learner", deterministic=True)


@compiled
def returns(following: IntArray, reward: FloatArray, gamma: float) -> tuple[FloatArray, FloatArray]:
    """The discounted sum of the rewards of each decision's seat from there on.

    Args:
        following: (N,) index of the seat's next decision, which comes later, or END or OPEN.
        reward: (N,) reward until then; it may be longer.
        gamma: discount factor.

    Returns:
        What the rewards that are still to come count for (N,) float32, 0 if the game has ended; and the sums of
        those until now (N,) float32.
    """
    left, gained = np.zeros(len(following), np.float32), np.zeros(len(following), np.float32)
    for i in range(len(following) - 1, -1, -1):
        after = following[i]
        left[i], gained[i] = after == OPEN, reward[i]
        if after >= 0:
            left[i] = np.float32(gamma) * left[after]
            gained[i] += np.float32(gamma) * gained[after]
    return left, gained


def fit(
    network: Network,
    optimizer: torch.optim.Adam,
    samples: Samples,
    chosen: IntArray,
    gained: FloatArray,
    settings: Settings,
) -> float:
    """Learn the returns (n,) of some decisions (n,) by their squared error; the mean error of Q."""
    rows = torch.from_numpy(chosen)
    entries = sparse.entries(samples.observation[rows], network.scale)
    legal, count, place = (each[rows] for each in (samples.legal, samples.count, samples.place))
    legal, target = legal[:, : int(count.max())], torch.from_numpy(gained)
    batches = max(1, round(len(chosen) / settings.batch_size))
    errors = []
    for _ in range(settings.epochs):
        for part in torch.randperm(len(chosen)).tensor_split(batches):
            advantages, value = network(entries.index_select(0, part), legal[part], count[part])
            value = value.squeeze(1)
            q = value.detach() + advantages.gather(1, place[part, None]).squeeze(1)
            error = (q - target[part]).square().mean()
            descend(network, optimizer, error + (value - target[part]).square().mean(), MAX_GRAD_NORM)
            errors.append(error.detach())
    return float(torch.stack(errors).mean())
