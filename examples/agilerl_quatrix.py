"""PPO with AgileRL: a network learns Quatrix from games against itself.

python examples/agilerl_quatrix.py
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from agilerl.algorithms import PPO

import polytrix
from polytrix.training.shared.evaluation import evaluate

GAME = polytrix.find("quatrix")


def collect(
    agent: PPO,
    env: gym.vector.VectorEnv,
    n_steps: int,
    last_obs: np.ndarray | None = None,
    last_done: np.ndarray | None = None,
    last_scores: np.ndarray | None = None,
    last_info: dict[str, Any] | None = None,
) -> tuple[list[float], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
    """Fill the agent's rollout buffer; a `collect_rollouts_fn` as AgileRL's training takes it.

    AgileRL's own tells the buffer whether a step ended the game, but the buffer's advantages want to know
    whether the step before it did. So a payoff would reach the last decision only.
    """
    observation, over, scores, info = last_obs, last_done, last_scores, last_info
    if info is None:
        observation, info = env.reset()
        over, scores = np.zeros(env.num_envs, bool), np.zeros(env.num_envs)
    finished: list[float] = []
    agent.rollout_buffer.reset()
    for _ in range(n_steps):
        seen, mask, before = observation, info["action_mask"], over
        action, log_prob, _, value = agent.get_action(seen, action_mask=mask)
        observation, reward, terminated, truncated, info = env.step(action)
        agent.rollout_buffer.add(seen, action, reward, before, value, log_prob, action_mask=mask)
        over = terminated | truncated
        scores = scores + reward
        finished.extend(scores[over])
        scores[over] = 0
    *_, value = agent.get_action(observation, action_mask=info["action_mask"])
    agent.rollout_buffer.compute_returns_and_advantages(value, over)
    return finished, observation, over, scores, info


def wins(choose: Callable[..., np.ndarray], games: int = 100) -> float:
    """The share of games that a policy wins against `random`, from both seats."""
    return evaluate(GAME, choose, "random", games).rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--iterations", type=int, default=40, help="of collecting and learning")
    parser.add_argument("--envs", type=int, default=64, help="games side by side")
    parser.add_argument("--steps", type=int, default=64, help="decisions in each of them, in one iteration")
    arguments = parser.parse_args()
    torch.manual_seed(1)
    np.random.seed(1)
    torch.set_num_threads(1)

    one = gym.make(GAME.id)
    agent = PPO(
        one.observation_space,
        one.action_space,
        net_config={"encoder_config": {"hidden_size": [128]}, "head_config": {"hidden_size": [128]}},
        num_envs=arguments.envs,
        learn_step=arguments.envs * arguments.steps,
        batch_size=512,
        lr=1e-3,
        ent_coef=0.005,
        update_epochs=3,
    )

    def choose(observation: np.ndarray, mask: np.ndarray, rng: object = None) -> np.ndarray:
        """The agent's choices among legal actions, (n,): a policy that can play in the other seat."""
        return agent.get_action(observation, action_mask=mask)[0]

    envs = gym.make_vec(
        GAME.id, arguments.envs, opponent=choose, shaping=1.0, illegal_action="raise", autoreset_mode="SameStep"
    )
    print(f"wins against random before: {wins(choose):.0%}")
    last: tuple[Any, ...] = ()
    for iteration in range(arguments.iterations):
        ended, *last = collect(agent, envs, arguments.steps, *last)
        agent.learn()
        print(f"iteration {iteration}: {len(ended)} games ended", flush=True)
    print(f"wins against random after: {wins(choose):.0%}")


if __name__ == "__main__":
    main()
