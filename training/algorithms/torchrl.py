"""PPO of TorchRL (Schulman et al., arXiv 1707.06347), in one seat of each game against itself.

The algorithm is TorchRL's: `Collector`, `MaskedCategorical`, `GAE` and `ClipPPOLoss`. In the other seats of an
`OneSeatEnv` the learning network plays. Shaping does not fade. It needs the extra `torchrl`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from polytrix.agents import NetworkPolicy
from polytrix.api.torchrl import OneSeatEnv
from polytrix.core.errors import MissingExtraError
from polytrix.core.game import Game
from polytrix.core.state import ByteArray, IntArray
from polytrix.training.shared.checkpoints import adam_like, check_like, load_adam, must_match
from polytrix.training.trials.runs import SHARED
from polytrix.training.trials.trial import Trial

try:
    from tensordict import TensorDictBase
    from tensordict.nn import TensorDictModule
    from torchrl.collectors import Collector
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE
except ImportError:
    raise MissingExtraError("training/algorithms/torchrl.py", "torchrl") from None

NUM_ENVS = 128
NUM_STEPS = 64
"""Decisions of each game in an iteration."""
ENTROPY = 0.005
MAX_GRAD_NORM = 0.5


def train(trial: Trial) -> None:
    """Learn by TorchRL's PPO against itself."""
    torch.set_num_threads(1)
    torch.manual_seed(trial.seed)
    learner = Learner(trial)
    learner.iterate(1.0)  # compiles the games; then the learner begins anew, or goes on
    with must_match(trial.folder):
        learner.load_state(learner.begin if trial.saved is None else trial.saved)
    while trial.goes_on(learner.decisions, learner.policy, learner.state):
        learner.iterate(1.0 - trial.done)
    learner.collector.shutdown()


class Network(nn.Module):
    """Hidden layers of the size that all algorithms have, after observations are scaled."""

    scale: Tensor

    def __init__(self, game: Game, outputs: int) -> None:
        super().__init__()
        sizes = [game.observations.size, *SHARED["layers"], outputs]
        self.register_buffer("scale", torch.from_numpy(game.observations.scale))
        self.linear = [nn.Linear(*pair) for pair in pairwise(sizes)]
        self.layers = nn.ModuleList(self.linear)

    def forward(self, observation: Tensor) -> Tensor:
        """Outputs (n, outputs) for observations (n, O)."""
        x = observation * self.scale
        for layer in self.linear[:-1]:
            x = torch.relu(layer(x))
        outputs: Tensor = self.linear[-1](x)
        return outputs

    @torch.no_grad()
    def choose(self, observation: ByteArray, mask: ByteArray, rng: object = None) -> IntArray:
        """Sample legal actions (n,): a policy for the other seats."""
        legal = torch.from_numpy(mask).bool()
        chosen: IntArray = MaskedCategorical(self(torch.from_numpy(observation)), mask=legal).sample().numpy()
        return chosen


class Learner:
    """PPO, as in TorchRL's tutorials.

    Args:
        trial: what is to be learned.

    Attributes:
        decisions: of the learning seat, so far.
        begin: the state before the first iteration.
    """

    def __init__(self, trial: Trial) -> None:
        self.game, self.decisions = trial.game, 0
        self.logits = Network(trial.game, trial.game.actions.size)
        values = Network(trial.game, 1)
        actor = ProbabilisticActor(
            TensorDictModule(self.logits, in_keys=["observation"], out_keys=["logits"]),
            in_keys={"logits": "logits", "mask": "action_mask"},
            distribution_class=MaskedCategorical,
            return_log_prob=True,
        )
        critic = ValueOperator(values, in_keys=["observation"])
        self.advantages = GAE(gamma=SHARED["gamma"], lmbda=SHARED["gae_lambda"], value_network=critic)
        self.loss = ClipPPOLoss(
            actor, critic, entropy_coeff=ENTROPY, critic_coeff=0.5, normalize_advantage=True
        )
        self.optimizer = torch.optim.Adam(self.loss.parameters(), lr=SHARED["learning_rate"], eps=1e-5)
        env = OneSeatEnv(
            trial.game,
            NUM_ENVS,
            opponent=self.logits.choose,
            shaping=SHARED["shaping"],
            seed=int(np.random.SeedSequence(trial.seed).generate_state(1)[0]) % (1 << 31),
            **trial.given,
        )
        self.collector = Collector(
            env,
            actor,
            frames_per_batch=NUM_ENVS * NUM_STEPS,
            total_frames=-1,
            return_same_td=True,
            auto_register_policy_transforms=False,
        )
        self.batches: Iterator[TensorDictBase] = iter(self.collector)
        self.begin = self.state()

    def iterate(self, left: float) -> None:
        """Make some decisions, and learn from them; `left` is the fraction of the budget that is left."""
        for group in self.optimizer.param_groups:
            group["lr"] = SHARED["learning_rate"] * (0.1 + 0.9 * left)
        data = next(self.batches)
        self.decisions += data.numel()
        with torch.no_grad():
            self.advantages(data)
        rows = data.reshape(-1)
        for _ in range(SHARED["epochs"]):
            for chosen in torch.split(torch.randperm(len(rows)), SHARED["batch_size"]):
                losses = self.loss(rows[chosen])
                self.optimizer.zero_grad()
                sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
                nn.utils.clip_grad_norm_(self.loss.parameters(), MAX_GRAD_NORM)
                self.optimizer.step()

    def policy(self) -> NetworkPolicy:
        """The current policy."""
        layers = [
            (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy())
            for layer in self.logits.linear
        ]
        return NetworkPolicy(self.game, layers, "relu")

    def state(self) -> dict[str, Any]:
        """Everything but the games, which begin anew."""
        return {
            "loss": {name: value.clone() for name, value in self.loss.state_dict().items()},
            "optimizer": self.optimizer.state_dict(),
            "decisions": self.decisions,
        }

    def load_state(self, state: Any) -> None:
        """Continue from a result of `state`; CheckpointError if it is not of such a learner."""
        check_like(state, self.state() | {"optimizer": adam_like(self.optimizer, state["optimizer"])})
        self.loss.load_state_dict(state["loss"])
        load_adam(self.optimizer, state["optimizer"])
        self.decisions = state["decisions"]
