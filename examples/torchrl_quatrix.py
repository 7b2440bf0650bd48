"""PPO with TorchRL: a network learns Quatrix from games against itself.

python examples/torchrl_quatrix.py
"""

from __future__ import annotations

import argparse

import gymnasium as gym
import numpy as np
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import polytrix
from polytrix.core.layout import input_scale

GAME = polytrix.find("quatrix")


class Network(nn.Module):
    """Brings observations to a scale at which counts and flags are alike; one hidden layer."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        scale = input_scale(GAME.observations.low, GAME.observations.high)
        self.register_buffer("scale", torch.tensor(scale))
        self.layers = nn.Sequential(nn.Linear(GAME.observations.size, 128), nn.Tanh(), nn.Linear(128, outputs))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.layers(observation * self.scale)

    @torch.no_grad()
    def choose(self, observation: np.ndarray, mask: np.ndarray, rng: object = None) -> np.ndarray:
        """Sample legal actions, (n,): a policy that can play in the other seat."""
        legal = torch.from_numpy(mask).bool()
        return MaskedCategorical(self(torch.from_numpy(observation)), mask=legal).sample().numpy()


def wins(network: Network, games: int = 100) -> float:
    """The share of games that the network wins against `random`, from both seats."""
    envs = gym.make_vec(GAME.id, games, opponent="random", seat="rotate", autoreset_mode="SameStep")
    observation, info = envs.reset(seed=1_000_000)
    payoff = np.full(games, np.nan)
    while np.isnan(payoff).any():
        action = network.choose(observation, info["action_mask"])
        observation, reward, terminated, truncated, info = envs.step(action)
        first = np.isnan(payoff) & (terminated | truncated)
        payoff[first] = reward[first]
    return float((payoff > 0).mean())


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("--iterations", type=int, default=40, help="of collecting and learning")
parser.add_argument("--envs", type=int, default=64, help="games side by side")
parser.add_argument("--steps", type=int, default=64, help="decisions in each of them, in one iteration")
arguments = parser.parse_args()
torch.manual_seed(1)
torch.set_num_threads(1)

logits = Network(GAME.actions.size)
envs = gym.make_vec(GAME.id, arguments.envs, opponent=logits.choose, shaping=1.0, autoreset_mode="Disabled")
env = TransformedEnv(GymWrapper(envs, categorical_action_encoding=True).auto_register_info_dict())
env.append_transform(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
env.append_transform(ActionMask())

actor = ProbabilisticActor(
    TensorDictModule(logits, in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
critic = ValueOperator(Network(1), in_keys=["observation"])
advantages = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
advantages.set_keys(terminated="done")  # the payoff at max_decisions is final: nothing to bootstrap
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.005, critic_coeff=0.5, normalize_advantage=True)
optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)

frames = arguments.envs * arguments.steps
collector = Collector(
    env,
    actor,
    frames_per_batch=frames,
    total_frames=frames * arguments.iterations,
    auto_register_policy_transforms=False,
)
print(f"wins against random before: {wins(logits):.0%}")
for iteration, data in enumerate(collector):
    with torch.no_grad():
        advantages(data)
    decisions = data.reshape(-1)
    for _ in range(3):
        for rows in torch.randperm(frames).split(512):
            losses = loss(decisions[rows])
            optimizer.zero_grad()
            sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()
    ended = int(data["next", "done"].sum())
    print(f"iteration {iteration}: {ended} games ended, entropy {losses['entropy']:.2f}", flush=True)
collector.shutdown()
print(f"wins against random after: {wins(logits):.0%}")
