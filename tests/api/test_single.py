"""The Gymnasium environment: its contract, and its games compared with the simulator's."""

from __future__ import annotations

import warnings

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from polytrix.api.single import SingleEnv
from tests.toys import SECRET

VARIANTS = [
    {},
    {"opponent": "greedy", "seat": 1, "finish_depth": 3, "combined_straight": "landed"},
    {"seat": "rotate", "scoring": "odds", "max_decisions": 30, "shaping": 0.5, "dtype": "float32"},
    {"seat": 0, "opponent": lambda observation, mask, rng: mask.argmax(axis=1)},
]


@pytest.mark.parametrize("arguments", VARIANTS)
def test_gymnasium_check(arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("polytrix/quatrix-v0", **arguments).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("arguments", VARIANTS[:3])
def test_sb3_check(arguments):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(gymnasium.make("polytrix/quatrix-v0", **arguments).unwrapped)


def test_options_reach_the_game():
    env = SingleEnv(SECRET, top=4, doubling=False)
    assert env.options == {"top": 4, "doubling": False, "max_decisions": 40}


# -- rendering ------------------------------------------------------------------------------------


def test_text_shows_only_what_the_learner_may_see():
    env = SingleEnv(SECRET, seat=1, render_mode="ansi")
    env.reset(seed=0)
    own = int(env._batch.simulator.states[0].secret[1])
    assert f"numbers ? {own}" in env.render()


def test_gymnasium_knows_the_render_modes():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("polytrix/quatrix-v0", render_mode="ansi")
        envs = gymnasium.make_vec("polytrix/quatrix-v0", num_envs=2, render_mode="rgb_array")
    env.reset(seed=0)
    envs.reset(seed=0)
    assert "a b c d e f g" in env.render()
    assert [frame.ndim for frame in envs.render()] == [3, 3]
