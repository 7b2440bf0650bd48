"""`dtype="float32"`: the same play as with int8, in the type that networks multiply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from polytrix.api.aec import AECGame
from polytrix.api.single import SingleEnv
from polytrix.api.vector import VectorEnv
from polytrix.core.errors import OptionError
from polytrix.core.game import Game
from tests.every_game import every_game
from tests.toys import SECRET


def same_bounds(one: Any, other: Any) -> bool:
    """Whether the bounds are equal, and the second space is that of float32."""
    return bool((one.low == other.low).all() and (one.high == other.high).all() and other.dtype == np.float32)


@every_game
def test_aec_observes_the_same_in_float32(game: Game) -> None:
    env, other = AECGame(game, max_decisions=30), AECGame(game, max_decisions=30, dtype="float32")
    agent = env.possible_agents[0]
    assert same_bounds(
        env.observation_space(agent)["observation"], other.observation_space(agent)["observation"]
    )
    assert same_bounds(env.state_space, other.state_space)
    env.reset(seed=3)
    other.reset(seed=3)
    while env.legal_actions():
        for agent in env.agents:
            seen, floats = env.observe(agent), other.observe(agent)
            assert floats["observation"].dtype == np.float32 and floats["action_mask"].dtype == np.int8
            assert floats in other.observation_space(agent)
            assert all((seen[part] == floats[part]).all() for part in seen)
        assert other.state() in other.state_space
        assert (env.state() == other.state()).all()
        action = env.legal_actions()[-1]
        env.step(action)
        other.step(action)
    assert other.observe(agent)["observation"].dtype == np.float32  # after the end


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_gym_make_vec_observes_the_same_in_float32(mode: str) -> None:
    arguments: dict[str, Any] = {"num_envs": 5, "max_decisions": 12, "autoreset_mode": mode}
    env = gym.make_vec("polytrix/resistor-v0", **arguments)
    other = gym.make_vec("polytrix/resistor-v0", dtype="float32", **arguments)
    assert same_bounds(env.single_observation_space, other.single_observation_space)
    assert same_bounds(env.observation_space, other.observation_space)
    (seen, info), (floats, _) = env.reset(seed=3), other.reset(seed=3)
    ended = 0
    for _ in range(40):
        assert floats.dtype == np.float32 and (seen == floats).all() and floats in other.observation_space
        actions = info["action_mask"].argmax(axis=1)
        seen, _, terminated, truncated, info = env.step(actions)
        floats, *_, told = other.step(actions)
        over = terminated | truncated
        ended += int(over.sum())
        for row in np.flatnonzero(over):
            if mode == "SameStep":
                assert told["final_obs"][row].dtype == np.float32
                assert (told["final_obs"][row] == info["final_obs"][row]).all()
        if mode == "Disabled" and over.any():
            (seen, info), (floats, _) = (each.reset(options={"reset_mask": over}) for each in (env, other))
    assert ended


def test_stable_baselines3_observes_the_same_in_float32() -> None:
    sb3 = pytest.importorskip("polytrix.api.sb3", reason="needs the extra sb3")
    env = sb3.SelfPlayVecEnv(SECRET, 4, seed=2, max_decisions=6)
    other = sb3.SelfPlayVecEnv(SECRET, 4, seed=2, max_decisions=6, dtype="float32")
    assert same_bounds(env.observation_space, other.observation_space)
    seen, floats = env.reset(), other.reset()
    ended = 0
    for _ in range(20):
        assert floats.dtype == np.float32 and (seen == floats).all()
        actions = env.action_masks().argmax(axis=1)
        seen, _, _, infos = env.step(actions)
        floats, _, _, told = other.step(actions)
        for info, says in zip(infos, told, strict=True):
            if info:
                assert says["terminal_observation"].dtype == np.float32
                assert (says["terminal_observation"] == info["terminal_observation"]).all()
                ended += 1
    assert ended


@pytest.mark.parametrize("api", [AECGame, SingleEnv, VectorEnv])
@pytest.mark.parametrize(
    "dtype", ["float64", "int16", "Float32", np.float32, np.dtype("float32"), None, 1, np.zeros(2)]
)
def test_other_types_are_refused(api: Callable[..., Any], dtype: Any) -> None:
    with pytest.raises(OptionError, match=r"^dtype is .*; allowed: 'int8' or 'float32'$"):
        api(SECRET, dtype=dtype)
