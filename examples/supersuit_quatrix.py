"""Observations of Quatrix as SuperSuit prepares them: scaled to 0..1, the last four in one.

python examples/supersuit_quatrix.py
"""

from __future__ import annotations

import argparse

import numpy as np
import supersuit
from pettingzoo import AECEnv

from polytrix import quatrix_v0


def make() -> AECEnv:
    """The game with plain observations, masks in the infos, and SuperSuit's wrappers around it."""
    env = quatrix_v0.env(dtype="float32", flatten=True, max_decisions=300)
    env = supersuit.normalize_obs_v0(env)
    return supersuit.frame_stack_v1(env, 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=3, help="that random policies play")
    arguments = parser.parse_args()
    rng, env = np.random.default_rng(1), make()
    for seed in range(arguments.games):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            if terminated or truncated:
                print(f"game {seed}, {agent}: payoff {reward:+.0f}, {observation.shape} {observation.dtype}")
                env.step(None)
            else:
                env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))


if __name__ == "__main__":
    main()
