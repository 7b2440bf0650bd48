"""How often a policy wins: many games at once, from every seat equally often.

python examples/gymnasium_quatrix.py
"""

from __future__ import annotations

import gymnasium as gym
import numpy as np

import polytrix
from polytrix.agents import Policy, resolve

ENV_ID = "polytrix/quatrix-v0"


def games_won(policy: Policy, opponent: str, games: int, num_envs: int = 64, seed: int = 0) -> float:
    """The share of `games` games that `policy` wins against `opponent`."""
    envs = gym.make_vec(ENV_ID, num_envs=num_envs, opponent=opponent, seat="rotate", autoreset_mode="SameStep")
    rng = np.random.default_rng(seed)
    observations, info = envs.reset(seed=seed)
    quota = np.full(num_envs, -(-games // num_envs))  # of every row as many, or short games would count more
    won = played = 0
    while quota.any():
        actions = policy(observations, info["action_mask"], rng)
        observations, rewards, terminations, truncations, info = envs.step(actions)
        counted = (terminations | truncations) & (quota > 0)
        won += int((rewards[counted] > 0).sum())
        played += int(counted.sum())
        quota[counted] -= 1
    envs.close()
    return won / played


if __name__ == "__main__":
    greedy = resolve("greedy", polytrix.find(ENV_ID))
    print(f"greedy wins {games_won(greedy, 'random', games=256):.0%} against random")
