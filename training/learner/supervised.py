"""Teaches a network decisions that are remembered: the policy their probabilities, the values their targets.

`expert.py` and `imitate.py` say where the decisions come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from polytrix.agents import NetworkPolicy
from polytrix.agents.network import Layer
from polytrix.core.game import Game
from polytrix.learning.workers import Workers, sum_of
from polytrix.training.learner.network import Network
from polytrix.training.learner.updates import descend, slope_of
from polytrix.training.shared.arguments import Amount, Count, Positive
from polytrix.training.shared.checkpoints import adam_like, load_adam
from polytrix.training.shared.runs import Clock, check_count
from polytrix.training.shared.scripts import RunSettings
from polytrix.training.shared.self_play import Window

MAX_GRAD_NORM = 1.0
"""Maximum norm of the gradient."""


@dataclass(frozen=True)
class SupervisedSettings(RunSettings):
    """Settings of the scripts that teach so."""

    threads: Amount = 0
    """Number of threads; 0: one for each core that the process may use."""
    window: Count = 300_000
    """Number of decisions that are remembered, from which minibatches are drawn."""
    reuse: Positive = 2.0
    """How often a decision is learned from, on average, each time that it is remembered."""
    batch_size: Count = 1024
    """Decisions per minibatch."""
    learning_rate: Positive = 3e-3
    """Initial learning rate of Adam; decreases linearly to 0 over the run."""


class Supervised:
    """A network and the decisions that it is taught.

    Args:
        settings: of the run.
        game, options: what is learned, and the values of all options.
        clock: measures `environment` and `learning`.
        layers: sizes of the hidden layers.

    Attributes:
        decisions: that have been remembered so far.
        network: the learner.
        beliefs, notes: of policies with its weights.
    """

    def __init__(
        self,
        settings: SupervisedSettings,
        game: Game,
        options: Mapping[str, Any],
        clock: Clock,
        layers: tuple[int, ...],
    ) -> None:
        self.settings, self.game, self.options, self.clock = settings, game, options, clock
        self.players, self.decisions = game.num_players(options), 0
        torch.set_num_threads(1)
        torch.manual_seed(settings.seed)
        self.workers = Workers(settings.threads)
        self.network = Network(game, layers, values=game.max_players)
        self.optimizer = torch.optim.Adam([self.network.vector], fused=True)
        self.window = Window(game, settings.window)
        self.beliefs: list[Layer] | None = None
        self.notes: dict[str, Any] = {}

    def state(self) -> dict[str, Any]:
        """Everything needed to go on, but for the window."""
        return {
            "decisions": self.decisions,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "torch_generator": torch.get_rng_state(),
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """An example of what a state must be like."""
        return {**self.state(), "optimizer": adam_like(self.optimizer, state["optimizer"])}

    def load_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a result of `state`."""
        check_count(state["decisions"], "decisions")
        self.decisions = state["decisions"]
        self.network.load_state_dict(state["network"])
        load_adam(self.optimizer, state["optimizer"])
        torch.set_rng_state(state["torch_generator"])

    def policy_of(self, network: Network) -> NetworkPolicy:
        """A network as a policy that plays its most probable action."""
        return NetworkPolicy(
            self.game,
            network.exported(),
            "relu",
            name="learner",
            deterministic=True,
            values=network.exported_values(),
            beliefs=self.beliefs,
            notes=self.notes,
        )

    def learn(self, done: float, minibatches: int) -> dict[str, float]:
        """Learn from so many random minibatches of the window.

        Args:
            done: fraction of the budget that is used.
            minibatches: their number.

        Returns:
            Figures to log.
        """
        rate, size = self.settings.learning_rate * (1.0 - done), self.settings.batch_size
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        sums = []
        for _ in range(minibatches):
            chosen = torch.randint(self.window.used, (size,))

            def slope(part: Tensor) -> tuple[Tensor, Tensor]:
                return gradient(self.network, self.window, part, self.players, size)

            slopes, figures = zip(*self.workers.map(slope, chosen.chunk(self.workers.threads)), strict=True)
            descend(self.network, self.optimizer, sum_of(slopes), MAX_GRAD_NORM)
            sums.append(sum_of(figures))
        policy_loss, value_loss, variance = torch.stack(sums).mean(0).tolist()
        return {
            "train/learning_rate": rate,
            "train/policy_loss": policy_loss,
            "train/value_loss": value_loss,
            "train/explained_variance": 1 - value_loss / max(variance, 1e-12),
        }


def gradient(
    network: Network, window: Window, numbers: Tensor, players: int, total: int
) -> tuple[Tensor, Tensor]:
    """The gradient of the part of a minibatch's loss that some decisions have, and its losses of policy and
    values, and the variance of the targets.

    Args:
        network: the learner.
        window: the decisions.
        numbers: (n,) indices of decisions in it.
        players: number of seats that play.
        total: number of decisions of the minibatch.
    """
    observation, legal, count, taught, target = (torch.from_numpy(each)[numbers] for each in window.decisions)
    widest = int(count.max())
    logits, value = network(observation, legal[:, :widest].contiguous(), count)
    policy_loss = -(taught[:, :widest] * torch.log_softmax(logits, 1)).sum() / total
    target = target[:, :players]
    missed = (value[:, :players].tanh() - target).square().mean(1)
    value_loss = missed.sum() / total
    variance = target.square().mean(1).sum() / total
    figures = torch.stack([policy_loss, value_loss, variance]).detach()
    return slope_of(network, policy_loss + value_loss), figures
