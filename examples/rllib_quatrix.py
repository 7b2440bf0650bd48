"""Self-play with Ray RLlib's PPO for ten rounds, and games of the result against the random policy.

python examples/rllib_quatrix.py
"""

from __future__ import annotations

import gymnasium
import numpy as np
import ray
from ray.rllib.algorithms.ppo import PPOConfig

import polytrix
from polytrix.api.rllib.league import LEARNER, decisions, league_of, self_play
from polytrix.api.rllib.modules import policy_of, save_module

GAME = polytrix.find("quatrix")
OPTIONS = {"finish_depth": 1, "max_decisions": 300}
ROUNDS = 10

ray.init(num_cpus=1, object_store_memory=300 * 2**20, include_dashboard=False, log_to_driver=False)
config = (
    self_play(PPOConfig(), GAME, opponents={"random": 0.1}, share_past=0.2, shaping=0.5, games=20, **OPTIONS)
    .env_runners(num_env_runners=0, num_envs_per_env_runner=32, rollout_fragment_length=32)
    .training(train_batch_size_per_learner=1024, minibatch_size=256, num_epochs=4, lr=1e-3)
    .training(use_kl_loss=False, entropy_coeff=0.005, lambda_=0.95)
    .debugging(log_level="ERROR", seed=1)
)
algorithm = config.build_algo()

steps = 0
for number in range(1, ROUNDS + 1):
    result = algorithm.train()
    steps += decisions(result)
    if number % 2 == 0:
        entropy, selves = result["learners"][LEARNER]["entropy"], league_of(algorithm).line_up.selves
        print(f"{steps:6,} decisions, entropy {entropy:.2f}, past selves {selves}")

module = algorithm.get_module(LEARNER)
policy = policy_of(module, GAME)  # needs neither Ray nor torch
file = save_module("runs/rllib-example/policy.npz", module, GAME)
algorithm.stop()
ray.shutdown()

env = gymnasium.make(GAME.id, opponent="random", seat="rotate", **OPTIONS)
rng = np.random.default_rng(0)
outcomes = []
for seed in range(50):
    observation, info = env.reset(seed=seed)
    over, reward = False, 0.0
    while not over:
        action = policy(observation[None], info["action_mask"][None], rng)[0]
        observation, reward, terminated, truncated, info = env.step(int(action))
        over = terminated or truncated
    outcomes.append(reward)
won, lost = (np.array(outcomes) > 0).sum(), (np.array(outcomes) < 0).sum()
print(f"against random: won {won}, lost {lost}, neither {50 - won - lost} of 50 games; saved {file}")
