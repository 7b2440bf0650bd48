"""PPO with TorchRL: a network learns RESISTOR_ until it beats the heuristic `greedy`.

python examples/torchrl_resistor.py
"""

from __future__ import annotations

import argparse
import time
from itertools import pairwise

import numpy as np
import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import polytrix
from polytrix.api.torchrl import OneSeatEnv
from polytrix.training.shared.evaluation import evaluate

GAME = polytrix.find("resistor")
EPOCHS, MINIBATCH = 2, 2048


class Network(nn.Module):
    """Brings observations to a scale at which counts and flags are alike; two hidden layers."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.register_buffer("scale", torch.from_numpy(GAME.observations.scale))
        sizes = (GAME.observations.size, 128, 128)
        hidden = [layer for pair in pairwise(sizes) for layer in (nn.Linear(*pair), nn.ReLU())]
        self.layers = nn.Sequential(*hidden, nn.Linear(sizes[-1], outputs))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.layers(observation * self.scale)

    @torch.no_grad()
    def choose(self, observation: np.ndarray, mask: np.ndarray, rng: object = None) -> np.ndarray:
        """Sample legal actions, (n,): a policy that can play in the other seat."""
        legal = torch.from_numpy(mask).bool()
        return MaskedCategorical(self(torch.from_numpy(observation)), mask=legal).sample().numpy()


@torch.no_grad()
def wins(network: Network, games: int) -> str:
    """How many games the network wins against `greedy`, half of them from each seat; its likeliest actions."""

    def choose(observation: np.ndarray, mask: np.ndarray, rng: object) -> np.ndarray:
        illegal = ~torch.from_numpy(mask).bool()
        return network(torch.from_numpy(observation)).masked_fill(illegal, -torch.inf).argmax(-1).numpy()

    result = evaluate(GAME, choose, "greedy", games)
    low, high = result.interval
    return f"{result.rate:.1%} of {result.games} games, 95% interval {low:.1%} to {high:.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cpu-minutes", type=float, default=40.0, help="of all cores; 20 minutes on two")
    parser.add_argument("--envs", type=int, default=256, help="games side by side")
    parser.add_argument("--steps", type=int, default=32, help="decisions in each of them, in one iteration")
    parser.add_argument("--games", type=int, default=2000, help="against greedy, before and after")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    torch.distributions.Distribution.set_default_validate_args(False)  # saves time

    logits = Network(GAME.actions.size)
    opponents = {logits.choose: 0.55, "greedy": 0.35, "random": 0.1}
    env = OneSeatEnv(GAME, arguments.envs, opponent=opponents, shaping=1.0, seed=1)
    actor = ProbabilisticActor(
        TensorDictModule(logits, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(Network(1), in_keys=["observation"])
    advantages = GAE(gamma=1.0, lmbda=0.8, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.02, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    frames = arguments.envs * arguments.steps
    collector = Collector(
        env,
        actor,
        frames_per_batch=frames,
        total_frames=-1,
        return_same_td=True,
        auto_register_policy_transforms=False,
    )

    print(f"wins against greedy before: {wins(logits, arguments.games)}", flush=True)
    begin, decisions = time.process_time(), 0
    for iteration, data in enumerate(collector):
        used = (time.process_time() - begin) / (60 * arguments.cpu_minutes)
        if used >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * (1 - used)
        with torch.no_grad():
            advantages(data)
        rows = data.reshape(-1)
        for _ in range(EPOCHS):
            for chosen in torch.randperm(frames).split(MINIBATCH):
                losses = loss(rows[chosen])
                optimizer.zero_grad()
                sum(value for name, value in losses.items() if name.startswith("loss_")).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        decisions += frames
        if iteration % 20 == 0:
            ended = data["next", "done"][..., 0]
            payoff = data["next", "reward"][..., 0][ended].mean()
            print(f"{used:.0%}: {decisions:,} decisions, mean reward at the end {payoff:.2f}", flush=True)
    print(f"wins against greedy after: {wins(logits, arguments.games)}")


if __name__ == "__main__":
    main()
