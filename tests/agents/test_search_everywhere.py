"""Search agents wherever a policy can be given: environments, evaluation, commands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from polytrix.agents import ask, resolve
from polytrix.api.aec import AECGame
from polytrix.api.vector import VectorEnv
from polytrix.core.game import Game
from tests.toys import SECRET


@pytest.fixture(autouse=True)
def _known(register: Callable[[Game], Game]) -> None:
    register(SECRET)


def test_as_an_opponent_of_many_and_equal_in_each_run() -> None:
    def play() -> list[float]:
        envs = VectorEnv(SECRET, 6, opponent="search:5", autoreset_mode="SameStep")
        _, info = envs.reset(seed=1)
        rewards = []
        for _ in range(12):
            _, reward, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
            rewards += reward.tolist()
        return rewards

    assert play() == play()


def test_in_a_loop_of_ones_own_over_pettingzoo() -> None:
    env = AECGame(SECRET)
    env.reset(seed=2)
    policy, rng = resolve("search:20", SECRET), np.random.default_rng(0)
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        state = env.record.reshape(1)
        action = ask(policy, seen["observation"][None], seen["action_mask"][None], rng, state)
        env.step(int(action[0]))
    assert all(env.terminations.values())
