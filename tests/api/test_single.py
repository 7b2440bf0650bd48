"""The Gymnasium environment: its contract, and its games compared with the simulator's."""

from __future__ import annotations

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from polytrix.api.single import SingleEnv
from polytrix.core.errors import GameOverError, IllegalActionError, OptionError, PolicyError
from polytrix.core.simulator import Simulator
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


def test_a_game_by_id_or_by_itself():
    assert SingleEnv("quatrix").game is SingleEnv("polytrix/quatrix-v0").game
    assert SingleEnv(SECRET).game is SECRET


def test_a_game_is_that_of_the_simulator_with_the_same_seed():
    env = SingleEnv(SECRET, seat=0, opponent=first)
    table = Simulator(SECRET, 1, seed=8)
    observation, info = env.reset(seed=8)
    while True:
        assert (observation == table.observation[0]).all()
        assert (info["action_mask"] == table.mask[0]).all()
        assert (env.action_masks() == table.mask[0]).all()
        table.step([0])
        if not table.over[0]:
            table.step([0])
        observation, reward, terminated, truncated, info = env.step(0)
        assert (reward, terminated, truncated) == (table.reward[0, 0], table.over[0], False)
        if terminated:
            break
    assert (observation == table.view(0)[0][0]).all()
    assert not info["action_mask"].any()


def test_types_of_what_is_returned():
    env = SingleEnv(SECRET)
    observation, info = env.reset(seed=0)
    assert observation.dtype == np.int8 and observation in env.observation_space
    assert info["action_mask"].dtype == np.int8
    assert type(info["seat"]) is int
    _, reward, terminated, truncated, _ = env.step(np.int32(0))
    assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)


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


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_equal_seeds_equal_games(opponent):
    one, other = SingleEnv(SECRET, opponent=opponent), SingleEnv(SECRET, opponent=opponent)
    assert play(one, 4) == play(other, 4) == play(one, 4)
    assert play(one, 4) != play(one, 5)


def test_a_copy_by_pickle_goes_on_alike():
    env = gymnasium.make("polytrix/quatrix-v0", opponent="greedy", max_decisions=30).unwrapped
    _, info = env.reset(seed=3)
    copy = pickle.loads(pickle.dumps(env))
    for _ in range(5):
        action = int(np.flatnonzero(info["action_mask"])[-1])
        one, other = env.step(action), copy.step(action)
        assert repr(one) == repr(other)
        info = one[-1]


def test_what_is_returned_is_the_callers():
    env = SingleEnv(SECRET, seat=0)
    observation, info = env.reset(seed=0)
    observation[:] = 77
    info["action_mask"][:] = 0
    assert env.action_masks().any()
    assert (env.step(0)[0] != 77).all()


# -- invalid actions ----------------------------------------------------------------------------


@pytest.mark.parametrize("action", [1.0, "0", None, True, np.array([0]), [0], np.float32(2)])
def test_actions_of_other_types(action):
    env = SingleEnv(SECRET)
    env.reset(seed=0)
    with pytest.raises(TypeError, match="allowed: an integer"):
        env.step(action)
    env.step(0)


@pytest.mark.parametrize("action", [4, -1, 1 << 70])
def test_a_number_that_is_no_action_is_an_error(action):
    env, other = SingleEnv(SECRET, seat=0), SingleEnv(SECRET, seat=0)
    env.reset(seed=0)
    other.reset(seed=0)
    with pytest.raises(IllegalActionError, match="does not exist"):
        env.step(action)
    assert repr(env.step(0)) == repr(other.step(0))


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


@pytest.mark.parametrize("action", [CALL, 4, -1, 1 << 70])
def test_an_illegal_action_raises_if_asked_for(action):
    env, other = (SingleEnv(SECRET, seat=0, illegal_action="raise", opponent="greedy") for _ in range(2))
    env.reset(seed=0)
    other.reset(seed=0)
    with pytest.raises(IllegalActionError, match="row 0"):
        env.step(action)
    assert repr(env.step(0)) == repr(other.step(0))


def test_a_step_before_the_first_reset():
    with pytest.raises(GameOverError, match=r"call reset\(\) first"):
        SingleEnv(SECRET).step(0)


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


@pytest.mark.parametrize("seed", [-1, 1.5, "a"])
def test_seeds_that_are_none(seed):
    with pytest.raises((ValueError, TypeError, gymnasium.error.Error)):
        SingleEnv(SECRET).reset(seed=seed)


def test_options_reach_the_game():
    env = SingleEnv(SECRET, top=4, doubling=False)
    assert env.options == {"top": 4, "doubling": False, "max_decisions": 40}


# -- rendering ------------------------------------------------------------------------------------


def test_text_shows_only_what_the_learner_may_see():
    env = SingleEnv(SECRET, seat=1, render_mode="ansi")
    env.reset(seed=0)
    own = int(env._batch.simulator.states[0].secret[1])
    assert f"numbers ? {own}" in env.render()


def test_pixels():
    env = SingleEnv(SECRET, render_mode="rgb_array")
    env.reset(seed=0)
    frame = env.render()
    assert frame.dtype == np.uint8 and frame.shape[2] == 3


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
