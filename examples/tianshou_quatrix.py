"""PPO with Tianshou: a network learns Quatrix from games against itself.

python examples/tianshou_quatrix.py
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.utils.net.discrete import dist_fn_categorical_from_logits
from tianshou.utils.torch_utils import policy_within_training_step
from torch import nn

import polytrix
from polytrix.api.tianshou import MaskedVectorEnv
from polytrix.core.layout import input_scale
from polytrix.training.shared.evaluation import evaluate

GAME = polytrix.find("quatrix")


class Network(nn.Module):
    """Brings observations to a scale at which counts and flags are alike; one hidden layer."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        scale = input_scale(GAME.observations.low, GAME.observations.high)
        self.register_buffer("scale", torch.tensor(scale))
        self.layers = nn.Sequential(nn.Linear(GAME.observations.size, 128), nn.Tanh(), nn.Linear(128, outputs))

    def forward(self, observation: np.ndarray) -> torch.Tensor:
        return self.layers(torch.as_tensor(observation) * self.scale)


class Actor(Network):
    """Logits; those of illegal actions are minus infinity."""

    def __init__(self) -> None:
        super().__init__(GAME.actions.size)

    def forward(self, observation: Batch, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        legal = torch.as_tensor(observation.mask)
        return super().forward(observation.obs).masked_fill(~legal, -torch.inf), state

    @torch.no_grad()
    def choose(self, observation: np.ndarray, mask: np.ndarray, rng: object) -> np.ndarray:
        """Sample legal actions, (n,): a policy that can play in the other seat."""
        logits, _ = self(Batch(obs=observation, mask=mask.astype(bool)))
        return torch.distributions.Categorical(logits=logits).sample().numpy()


class Critic(Network):
    def forward(self, observation: Batch) -> torch.Tensor:
        return super().forward(observation.obs)


def wins(actor: Actor, games: int = 100) -> float:
    """The share of games that the network wins against `random`, from both seats."""
    return evaluate(GAME, actor.choose, "random", games).rate


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("--iterations", type=int, default=40, help="of collecting and learning")
parser.add_argument("--envs", type=int, default=64, help="games side by side")
parser.add_argument("--steps", type=int, default=64, help="decisions in each of them, in one iteration")
arguments = parser.parse_args()
torch.manual_seed(1)
np.random.seed(1)  # Tianshou shuffles batches by it
torch.set_num_threads(1)

actor = Actor()
envs = MaskedVectorEnv(GAME, arguments.envs, opponents=[actor.choose], shaping=1.0, seed=1)
policy = ProbabilisticActorPolicy(
    actor=actor,
    dist_fn=dist_fn_categorical_from_logits,
    action_space=envs.action_space[0],
    action_scaling=False,
)
algorithm = PPO(
    policy=policy,
    critic=Critic(1),
    optim=AdamOptimizerFactory(lr=1e-3),
    ent_coef=0.005,
    max_grad_norm=0.5,
    max_batchsize=4096,
)
decisions = arguments.envs * arguments.steps
collector = Collector(algorithm, envs, VectorReplayBuffer(decisions, arguments.envs))
collector.reset()
print(f"wins against random before: {wins(actor):.0%}")
for iteration in range(arguments.iterations):
    with policy_within_training_step(policy):
        collected = collector.collect(n_step=decisions)
        learned = algorithm.update(collector.buffer, batch_size=512, repeat=3)
    collector.reset_buffer(keep_statistics=True)
    speed = f"{collected.collect_speed:.0f} decisions/s"
    print(f"iteration {iteration}: {collected.n_collected_episodes} games ended, {speed}", flush=True)
print(f"wins against random after: {wins(actor):.0%}")
