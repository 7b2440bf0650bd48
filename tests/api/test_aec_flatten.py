"""`flatten=True`: observations without a dict around them, masks in the infos."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test
from pettingzoo.utils.wrappers import BaseWrapper

import polytrix
from polytrix import quatrix_v0
from polytrix.api.aec import AECGame
from polytrix.core.errors import OptionError
from polytrix.core.game import Game
from tests.toys import SECRET

every_game = pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)


@every_game
def test_the_parts_are_those_of_the_dict(game: Game) -> None:
    env, flat = AECGame(game, max_decisions=40), AECGame(game, max_decisions=40, flatten=True)
    for agent in env.possible_agents:
        assert flat.observation_space(agent) == env.observation_space(agent)["observation"]
    env.reset(seed=5)
    flat.reset(seed=5)
    for selected in env.agent_iter():
        assert flat.agent_selection == selected
        for agent in env.agents:
            seen = env.observe(agent)
            assert (flat.observe(agent) == seen["observation"]).all()
            assert (flat.infos[agent]["action_mask"] == seen["action_mask"]).all()
        seen, reward, terminated, truncated, _ = env.last()
        observation, *others, info = flat.last()
        assert others == [reward, terminated, truncated]
        assert observation in flat.observation_space(selected)
        assert (info["action_mask"] == seen["action_mask"]).all()
        action = None if terminated or truncated else env.legal_actions()[-1]
        env.step(action)
        flat.step(action)
    assert not flat.agents


def test_infos_are_new_objects() -> None:
    env = AECGame(SECRET, flatten=True)
    env.reset(seed=1)
    _, _, _, _, info = env.last()
    kept = info["action_mask"].copy()
    env.step(env.legal_actions()[0])
    assert (info["action_mask"] == kept).all()
    _, _, _, _, info = env.last()
    info["action_mask"][:] = 0
    assert env.legal_actions()


def test_a_forfeit_leaves_nothing_legal() -> None:
    env = AECGame("quatrix", flatten=True, illegal_action="forfeit")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    assert not any(info["action_mask"].any() for info in env.infos.values())


def test_loaded_and_copied_games_have_their_masks() -> None:
    env, other = AECGame("resistor", flatten=True), AECGame("resistor", flatten=True)
    env.reset(seed=1)
    env.step(env.legal_actions()[0])
    other.load(env.save())
    for twin in (other, copy.deepcopy(env)):
        _, _, _, _, info = twin.last()
        assert np.flatnonzero(info["action_mask"]).tolist() == env.legal_actions()
        twin.step(twin.legal_actions()[0])
        assert twin.observe(twin.agent_selection).shape == (env.game.observations.size,)


def test_pettingzoos_own_test_has_no_more_warnings() -> None:
    """With a dict it warns that the observation is no array."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(quatrix_v0.env(max_decisions=40, flatten=True), num_cycles=60)


def test_wrappers_of_pettingzoo_pass_it_on() -> None:
    env = BaseWrapper(AECGame(SECRET, flatten=True, dtype="float32"))
    env.reset(seed=1)
    seen, *_, info = env.last()
    assert seen.dtype == np.float32 and info["action_mask"].any()


@pytest.mark.parametrize("flatten", [1, "yes", None])
def test_only_a_flag_is_allowed(flatten: object) -> None:
    with pytest.raises(OptionError, match=r"flatten is .*; allowed: True or False"):
        AECGame(SECRET, flatten=flatten)  # type: ignore[arg-type]
