"""The vector environment, compared with Gymnasium's own around single environments."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from polytrix.api.single import SingleEnv
from polytrix.api.vector import VectorEnv
from polytrix.core.errors import GameOverError
from tests.api.learner_play import last
from tests.toys import SECRET

ROWS = 6


def pair(mode, **arguments):
    """The native environment, and the slow reference that it must match."""
    native = VectorEnv(SECRET, ROWS, autoreset_mode=mode, **arguments)
    slow = SyncVectorEnv([lambda: SingleEnv(SECRET, **arguments)] * ROWS, autoreset_mode=mode)
    return native, slow


def legal(rng, mask):
    """A random legal action for each row; 0 where there is none."""
    return (mask * (0.5 + rng.random(mask.shape))).argmax(axis=1)


@pytest.mark.parametrize("opponent", ["random", "greedy", last])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_autoreset_is_that_of_gymnasium(mode, opponent):
    native, slow = pair(mode, opponent=opponent)
    rng, ended = np.random.default_rng(0), 0
    one, other = native.reset(seed=30), slow.reset(seed=30)
    assert data_equivalence(one, other, exact=True)
    for _ in range(60):
        actions = legal(rng, one[-1]["action_mask"])
        one, other = native.step(actions), slow.step(actions)
        assert data_equivalence(one, other, exact=True)
        ended += np.count_nonzero(one[2])
    assert ended > 3 * ROWS


def test_without_autoreset_the_caller_resets_by_mask():
    native, slow = pair(AutoresetMode.DISABLED, opponent="greedy", seat="rotate")
    rng, resets = np.random.default_rng(0), 0
    one, other = native.reset(seed=30), slow.reset(seed=30)
    for _ in range(60):
        actions = legal(rng, native.action_masks())
        one, other = native.step(actions), slow.step(actions)
        assert data_equivalence(one, other, exact=True)
        over = one[2] | one[3]
        if over.any():
            with pytest.raises(GameOverError, match="is over"):
                native.step(actions)
            options = {"reset_mask": over}
            seen, info = native.reset(options=options)
            expected, _ = slow.reset(options={"reset_mask": over})
            assert "reset_mask" in options  # the caller's dictionary is unchanged
            assert (seen == expected).all()
            assert info["action_mask"].any(axis=1).all()
            resets += 1
    assert resets > 5


def test_reset_mask_with_seeds():
    native, slow = pair(AutoresetMode.DISABLED)
    native.reset(seed=1)
    slow.reset(seed=1)
    mask = np.array([True, False, True, False, False, True])
    for seed in (50, [7, None, None, 3, None, 9]):
        one, _ = native.reset(seed=seed, options={"reset_mask": mask})
        other, _ = slow.reset(seed=seed, options={"reset_mask": mask.copy()})
        assert (one == other).all()
    seeds = [5, 3, 5, 1 << 40, 0, 2]
    assert data_equivalence(native.reset(seed=seeds), slow.reset(seed=seeds), exact=True)


@pytest.mark.parametrize("seed", [30, np.int64(30)])
def test_a_seed_is_that_of_gymnasiums_own_generator_too(seed):
    envs = VectorEnv(SECRET, 2)
    envs.reset(seed=seed)
    assert envs.np_random_seed == 30
    drawn = envs.np_random.random()
    envs.reset()  # continues with the same generator
    assert envs.np_random_seed == 30 and envs.np_random.random() != drawn
    envs.reset(seed=seed)
    assert envs.np_random.random() == drawn


def test_actions_of_rows_being_reset_are_ignored():
    native = VectorEnv(SECRET, 2, illegal_action="raise", max_decisions=1, seat=0)
    native.reset(seed=0)
    _, _, _, truncated, info = native.step(np.array([0, 0]))
    assert truncated.all() and not info["action_mask"].any()
    _, reward, terminated, truncated, info = native.step(np.array([-1, 99]))
    assert not (reward.any() or terminated.any() or truncated.any())
    assert info["action_mask"].any(axis=1).all()
    assert (native.step(np.array([0, 0]))[3]).all()


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SameStep", AutoresetMode.DISABLED])
def test_made_by_gymnasium_without_warnings(mode):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec("polytrix/quatrix-v0", num_envs=3, num_threads=1, autoreset_mode=mode)
        observation, info = envs.reset(seed=0)
        envs.step(info["action_mask"].argmax(axis=1))
    assert observation in envs.observation_space
    assert envs.metadata["autoreset_mode"] in AutoresetMode
    assert "autoreset_mode" not in VectorEnv.metadata
    envs.close()
    envs.close()


def test_what_is_returned_is_the_callers():
    envs = VectorEnv(SECRET, 2, seat=0)
    observation, info = envs.reset(seed=0)
    kept = observation.copy(), info["action_mask"].copy()
    for _ in range(4):
        envs.step(envs.action_masks().argmax(axis=1))
    assert (observation == kept[0]).all() and (info["action_mask"] == kept[1]).all()


def test_rendering_without_a_mode_advises_one_that_is_allowed():
    envs = VectorEnv(SECRET, 2)
    envs.reset(seed=0)
    with pytest.warns(UserWarning, match=r"one of 'ansi', 'rgb_array'(\x1b|$)"):
        envs.render()
