"""IPPO with BenchMARL: one network for both seats learns Quatrix from games against itself.

python examples/benchmarl_quatrix.py
"""

from __future__ import annotations

import argparse
import tempfile

import gymnasium as gym
import numpy as np
import torch
from benchmarl.algorithms import IppoConfig
from benchmarl.experiment import Callback, Experiment, ExperimentConfig
from benchmarl.models import MlpConfig
from tensordict import TensorDict
from torchrl.envs import ExplorationType, set_exploration_type

import polytrix
from polytrix.api.benchmarl import PolytrixTask

GAME = polytrix.find("quatrix")
RULES = {"max_decisions": 300}
SCALE = torch.from_numpy(GAME.observations.scale)


class Report(Callback):
    """Prints how many games have ended in each iteration, and how many of them somebody has won."""

    def on_batch_collected(self, batch: TensorDict) -> None:
        ended, cut_off = int(batch["next", "done"].sum()), int(batch["next", "truncated"].sum())
        number = self.experiment.n_iters_performed
        print(f"iteration {number}: {ended} games ended, {ended - cut_off} won", flush=True)


def lead(policy: torch.nn.Module, games: int = 64) -> float:
    """How far the network is ahead of `random` after 60 decisions, by the game's potential."""

    @torch.no_grad()
    def choose(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Actions of the first agent; the second one has the same network and a copy of its input."""
        both = {
            "observation": torch.tensor(observation)[:, None] * SCALE.expand(1, 2, -1),
            "action_mask": torch.tensor(mask)[:, None].expand(-1, 2, -1).bool(),
        }
        asked = TensorDict(agents=TensorDict(both, [len(mask), 2]), batch_size=[len(mask)])
        with set_exploration_type(ExplorationType.RANDOM):
            return policy(asked)["agents", "action"][:, 0].numpy()

    envs = gym.make_vec(
        GAME.id, games, **RULES, opponent="random", seat="rotate", shaping=1.0, autoreset_mode="Disabled"
    )
    observation, info = envs.reset(seed=1_000_000)
    ahead = np.zeros(games)
    for _ in range(60):  # too few for an end of the game
        observation, reward, _, _, info = envs.step(choose(observation, info["action_mask"]))
        ahead += reward
    return float(ahead.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--iterations", type=int, default=8, help="of collecting and learning")
    parser.add_argument("--envs", type=int, default=8, help="games side by side")
    parser.add_argument("--steps", type=int, default=128, help="decisions in each of them, in one iteration")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)  # saves time

    config = ExperimentConfig.get_from_yaml()
    config.max_n_iters, config.max_n_frames = arguments.iterations, None
    config.on_policy_n_envs_per_worker = arguments.envs
    config.on_policy_collected_frames_per_batch = arguments.envs * arguments.steps
    config.on_policy_minibatch_size, config.on_policy_n_minibatch_iters = 512, 4
    config.lr, config.gamma = 1e-3, 0.99
    config.evaluation, config.render, config.create_json, config.loggers = False, False, False, []
    config.save_folder = tempfile.mkdtemp()
    algorithm = IppoConfig.get_from_yaml()
    algorithm.entropy_coef = 0.005
    network = MlpConfig(num_cells=[128], layer_class=torch.nn.Linear, activation_class=torch.nn.Tanh)

    experiment = Experiment(
        task=PolytrixTask(GAME.name, RULES | {"shaping": 1.0}),
        algorithm_config=algorithm,
        model_config=network,
        critic_model_config=network,
        seed=1,
        config=config,
        callbacks=[Report()],
    )
    print(f"ahead of random before: {lead(experiment.policy):.2f}")
    experiment.run()
    print(f"ahead of random after: {lead(experiment.policy):.2f}")


if __name__ == "__main__":
    main()
