"""The Gymnasium environment: its contract, and its games compared with the simulator's."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from polytrix.api.single import SingleEnv
from polytrix.core.errors import GameOverError, OptionError, PolicyError
from tests.toys import CALL, SECRET

VARIANTS = [
    {},
    {"opponent": "greedy", "seat": 1, "finish_depth": 3, "combined_straight": "landed"},
    {"seat": "rotate", "scoring": "odds", "max_decisions": 30, "shaping": 0.5, "gamma": 0.9},
    {"seat": 0, "opponent": lambda observation, mask, rng: mask.argmax(axis=1)},
]


def first(observation, mask, rng):
    return mask.argmax(axis=1)


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


def play(env, seed):
    """The outputs of three games of random play."""
    out, rng = [env.reset(seed=seed)], np.random.default_rng(seed)
    for _ in range(3):
        while True:
            action = rng.choice(np.flatnonzero(out[-1][-1]["action_mask"]))
            out.append(env.step(action))
            if out[-1][2] or out[-1][3]:
                break
        out.append(env.reset())
    return repr(out)


def test_what_is_returned_is_the_callers():
    env = SingleEnv(SECRET, seat=0)
    observation, info = env.reset(seed=0)
    observation[:] = 77
    info["action_mask"][:] = 0
    assert env.action_masks().any()
    assert (env.step(0)[0] != 77).all()


# -- invalid actions ----------------------------------------------------------------------------


def test_an_illegal_action_forfeits():
    env = SingleEnv(SECRET, seat=0)
    observation, _ = env.reset(seed=0)
    last, reward, terminated, truncated, info = env.step(CALL)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (last == observation).all()
    assert not info["action_mask"].any()
    with pytest.raises(GameOverError, match=r"call reset\(\)|with reset\(\)"):
        env.step(0)
    env.reset()
    assert not env.step(0)[2]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"opponent": "gredy"}, PolicyError, "'random', 'greedy'"),
        ({"opponent": ["random", "greedy"]}, PolicyError, "1 other seats"),
        ({"seat": 2}, OptionError, r"allowed: 0\.\.1"),
        ({"seat": "blue"}, OptionError, "'random' or 'rotate'"),
        ({"render_mode": "video"}, OptionError, "'ansi'"),
        ({"illegal_action": "pass"}, OptionError, "'forfeit' or 'raise'"),
        ({"topp": 4}, OptionError, "Did you mean 'top'"),
        ({"top": 5}, OptionError, "one of 4, 6"),
    ],
)
def test_arguments_that_are_not_allowed(arguments, error, message):
    with pytest.raises(error, match=message):
        SingleEnv(SECRET, **arguments)


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


class FakeWindow:
    """Records what it is asked to show."""

    def __init__(self, title, frames_per_second):
        self.shown, self.closed = [], False

    def show(self, rgb):
        self.shown.append(rgb)

    def close(self):
        self.closed = True


def test_the_window_follows_the_game(monkeypatch):
    monkeypatch.setattr("polytrix.drawing.window.Window", FakeWindow)
    env = SingleEnv("quatrix", seat=0, render_mode="human")
    window = env._renderer._window
    env.reset(seed=1)
    for decisions in range(1, 4):
        env.step(int(env.action_masks().argmax()))
        assert len(window.shown) == 1 + decisions
        assert (window.shown[-1] == env.game.draw(env.record, env.seat).rgb()).all()
        assert (window.shown[-1] != window.shown[-2]).any()
    env.close()
    assert window.closed
