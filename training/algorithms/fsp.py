"""Fictitious self-play with networks (Heinrich and Silver, arXiv 1603.01121), with PPO as the best response.

In each game the learner plays one seat and its average policy the others. The learner approaches a best
response by reinforcement learning. The average policy imitates all that the learner has ever done: it minimises
the cross-entropy -log pi(a | s) over a reservoir, a uniform sample of the learner's decisions (s, a) so far
(algorithm 1 of the paper). The average is what approaches an equilibrium; it is the result.

In the paper DQN learns the best response, and every seat draws one of the two policies for each game. Here
PPO does, which learns from its latest games only, and the average policy has all other seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from polytrix.agents import NetworkPolicy, Policy
from polytrix.core.errors import CheckpointError
from polytrix.core.game import Game
from polytrix.core.state import IntArray
from polytrix.learning import sparse
from polytrix.learning.samples import closed
from polytrix.training.learner.rollout import Rivals
from polytrix.training.learner.updates import descend, slope_of
from polytrix.training.shared.checkpoints import adam_like, check_decisions, load_adam
from polytrix.training.shared.runs import MOST
from polytrix.training.shared.scripts import MAX_GRAD_NORM
from polytrix.training.trials import runs
from polytrix.training.trials.trial import Trial

AVERAGE = 0
"""Number of the average policy among the networks that play."""
RESERVOIR = 1_000_000
"""Decisions in the reservoir: at most 2 GB."""
REUSE = 4.0
"""How often the average policy learns from a decision in the reservoir, on average, before another replaces it.

Decisions are drawn from the learner's probabilities. An average that learned from the same ones much more often
would know them by heart, and imitate those of other games less well.
"""
BATCH_SIZE = 512
"""Decisions in a step of the average policy."""
ENTROPY = 0.03
"""Weight of the entropy bonus: a best response that has stopped trying things follows no further changes."""


def train(trial: Trial) -> None:
    """Learn by fictitious self-play with PPO."""
    learner = Learner(trial)
    trial.train(learner, learner.warm_up)


class Learner(runs.Learner):
    """PPO that learns against the average of its own policies.

    Args:
        trial: what is to be learned.
    """

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial, entropy=ENTROPY, share_past=1.0)
        self.average = self.networks[AVERAGE] = self.new_network()
        self.imitator = torch.optim.Adam([self.average.vector], eps=1e-5, fused=True)
        self.reservoir = Reservoir(self.game, RESERVOIR, trial.seed)
        self.owed = 0.0  # decisions that the average policy has yet to learn from

    def rivals(self) -> Rivals:
        return (AVERAGE,), (1.0,)

    def state(self) -> dict[str, Any]:
        return {
            **super().state(),
            "imitator": self.imitator.state_dict(),
            "reservoir": self.reservoir.save(),
            "owed": self.owed,
        }

    def state_like(self, state: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **super().state_like(state),
            "imitator": adam_like(self.imitator, state["imitator"]),
            "reservoir": self.reservoir.save(len(state["reservoir"]["decisions"]["place"])),
        }

    def load_state(self, state: Mapping[str, Any]) -> None:
        if not 0.0 <= state["owed"] < BATCH_SIZE:
            raise CheckpointError(f"owed is {state['owed']}; expected 0 to {BATCH_SIZE}")
        super().load_state(state)
        load_adam(self.imitator, state["imitator"])
        self.reservoir.load(state["reservoir"])
        self.owed = state["owed"]

    def learn(self, done: float, imitation: float) -> dict[str, float]:
        figures = super().learn(done, imitation)
        for rollout in self.rollouts:
            samples = rollout.samples
            rows = torch.from_numpy(closed(samples))
            decisions = {name: getattr(samples, name)[rows] for name in self.reservoir.decisions}
            self.owed += REUSE * self.reservoir.add(decisions)
        for group in self.imitator.param_groups:
            group["lr"] = self.optimizer.param_groups[0]["lr"]
        steps, self.owed = divmod(self.owed, BATCH_SIZE)
        losses = [self.imitate() for _ in range(int(steps))]
        return {**figures, "train/imitation_loss": float(np.mean(losses))} if losses else figures

    def imitate(self) -> float:
        """One step of the average policy towards the decisions in the reservoir; their cross-entropy."""
        average = self.average
        observation, legal, count, place = self.reservoir.drawn(BATCH_SIZE)
        logits, _ = average(sparse.entries(observation, average.scale), legal, count)
        loss = functional.cross_entropy(logits, place)
        descend(average, self.imitator, slope_of(average, loss), MAX_GRAD_NORM)
        return float(loss.detach())

    def freeze(self) -> None:
        """Past selves play only as parts of the average policy."""

    def policy(self) -> Policy:
        return NetworkPolicy(self.game, self.average.exported(), "relu", name="average")


class Reservoir:
    """A uniform sample of all decisions that have been added (Vitter's algorithm R).

    Args:
        game: the game.
        size: number of decisions that it holds.
        seed: random seed.

    Attributes:
        decisions: tensors of the decisions, as in `Samples`; unused from the row `added` on.
        added: number of decisions that have been added.
    """

    def __init__(self, game: Game, size: int, seed: int) -> None:
        self.game, self.size, self.added = game, size, 0
        self.rng = np.random.default_rng(seed)
        self.decisions = {
            "observation": torch.zeros((size, game.observations.size), dtype=torch.int8),
            "legal": torch.zeros((size, game.max_legal), dtype=torch.int16),
            "count": torch.zeros(size, dtype=torch.int32),
            "place": torch.zeros(size, dtype=torch.int64),
        }

    def add(self, decisions: Mapping[str, Tensor]) -> int:
        """Add decisions, given as rows of tensors by name; return how many of them the reservoir keeps."""
        new = len(decisions["place"])
        chosen, rows = self.places(new)
        for name, tensor in self.decisions.items():
            tensor[torch.from_numpy(rows)] = decisions[name][torch.from_numpy(chosen)]
        self.added += new
        return len(rows)

    def places(self, new: int) -> tuple[IntArray, IntArray]:
        """Which of the next decisions are kept, (n,), and in which rows, (n,): each row once."""
        number = self.added + np.arange(new)
        row = np.where(number < self.size, number, self.rng.integers(0, number + 1))
        kept = np.flatnonzero(row < self.size)[::-1]  # a later one replaces an earlier one
        rows, last = np.unique(row[kept], return_index=True)
        return kept[last], rows

    def drawn(self, count: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Random decisions: observations (n, O), legal actions (n, W), their numbers (n,), choices (n,)."""
        rows = torch.randint(min(self.added, self.size), (count,))
        observation, legal, number, place = (tensor[rows] for tensor in self.decisions.values())
        return observation, legal[:, : int(number.max())].contiguous(), number, place

    def save(self, used: int | None = None) -> dict[str, Any]:
        """Everything needed to continue, with the decisions of all used rows, or of the first ones."""
        used = min(self.added, self.size) if used is None else used
        decisions = {name: tensor[:used] for name, tensor in self.decisions.items()}
        return {"added": self.added, "rng": self.rng.bit_generator.state, "decisions": decisions}

    def load(self, state: Mapping[str, Any]) -> None:
        """Continue from a result of `save`.

        Raises:
            CheckpointError: there cannot be so many decisions, or their actions are none of the game.
        """
        added, decisions = state["added"], state["decisions"]
        used = len(decisions["place"])
        if not 0 <= added < MOST or used != min(added, self.size):
            raise CheckpointError(f"{used} decisions are kept of {added}")
        check_decisions(self.game, decisions["legal"], decisions["count"], decisions["place"])
        self.added, self.rng.bit_generator.state = added, state["rng"]
        for name, tensor in self.decisions.items():
            tensor[:used] = decisions[name]
