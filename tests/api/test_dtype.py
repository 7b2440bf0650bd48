"""`dtype="float32"`: the same observations as with int8, in the type that networks multiply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from polytrix.api.aec import AECGame
from tests.toys import SECRET

Seen = Iterator[tuple[Any, Any]]
"""Observations, each with its space."""


def check_same(play: Callable[[str], Seen]) -> None:
    """The same play is seen in both types, in spaces of the same bounds."""
    for (seen, space), (floats, other) in zip(play("int8"), play("float32"), strict=True):
        assert seen.dtype == space.dtype == np.int8 and floats.dtype == other.dtype == np.float32
        assert (seen == floats).all() and floats in other
        assert (space.low == other.low).all() and (space.high == other.high).all()


def seen_in_aec(dtype: str) -> Seen:
    env = AECGame("pressure_matrix", players=3, max_decisions=30, dtype=dtype)
    env.reset(seed=3)
    while True:
        for agent in env.agents:
            seen = env.observe(agent)
            assert seen in env.observation_space(agent) and seen["action_mask"].dtype == np.int8
            yield seen["observation"], env.observation_space(agent)["observation"]
        yield env.state(), env.state_space
        if not env.legal_actions():
            break
        env.step(env.legal_actions()[-1])


def test_aec() -> None:
    check_same(seen_in_aec)


def seen_in_vector(mode: str, dtype: str) -> Seen:
    env = gym.make_vec("polytrix/resistor-v0", num_envs=5, max_decisions=12, autoreset_mode=mode, dtype=dtype)
    (seen, info), ended = env.reset(seed=3), 0
    for _ in range(40):
        yield seen, env.observation_space
        seen, _, terminated, truncated, info = env.step(info["action_mask"].argmax(axis=1))
        for row in np.flatnonzero(over := terminated | truncated):
            ended += 1
            yield info["final_obs"][row] if mode == "SameStep" else seen[row], env.single_observation_space
        if mode == "Disabled" and over.any():
            seen, info = env.reset(options={"reset_mask": over})
    assert ended


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_gym_make_vec(mode: str) -> None:
    check_same(partial(seen_in_vector, mode))


def seen_in_sb3(dtype: str) -> Seen:
    sb3 = pytest.importorskip("polytrix.api.sb3", reason="needs the extra sb3")
    env = sb3.SelfPlayVecEnv(SECRET, 4, seed=2, max_decisions=6, dtype=dtype)
    rows, ended = env.reset(), 0
    for _ in range(20):
        yield from ((row, env.observation_space) for row in rows)
        rows, _, _, infos = env.step(env.action_masks().argmax(axis=1))
        for info in filter(None, infos):
            ended += 1
            yield info["terminal_observation"], env.observation_space
    assert ended


def test_stable_baselines3() -> None:
    check_same(seen_in_sb3)
