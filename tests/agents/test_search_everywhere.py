"""Search agents wherever a policy can be given: environments, evaluation, commands."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from polytrix.agents import ask, resolve
from polytrix.api.aec import AECGame
from polytrix.api.single import SingleEnv
from polytrix.api.vector import VectorEnv
from polytrix.core.game import Game
from polytrix.training.shared.evaluation import evaluate
from tests.cli.running import run
from tests.toys import SECRET


@pytest.fixture(autouse=True)
def _known(register: Callable[[Game], Game]) -> None:
    register(SECRET)


def test_as_an_opponent_of_one_learner() -> None:
    env = SingleEnv(SECRET, opponent="search:5", seat=0)
    _, info = env.reset(seed=1)
    for _ in range(20):
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        if terminated or truncated:
            _, info = env.reset()


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


def test_in_evaluation_it_beats_who_never_calls() -> None:
    result = evaluate(SECRET, resolve("search:60,rollout=random", SECRET), "shy", 600)
    assert result.payoff_interval[0] > 0.05


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


def test_in_commands() -> None:
    shown = run(
        "watch", "secret", "--agents", "search:9,rollout=random,random", "--delay", 0, "--seed", 4
    ).stdout
    assert "first is search:9,rollout=random, second is random" in shown
    assert "payoffs:" in shown
    assert "second is search:9" in run("play", "secret", "--opponent", "search:9", typed="1\n" * 30).stdout
