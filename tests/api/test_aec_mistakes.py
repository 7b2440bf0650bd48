"""Misuse of the PettingZoo API: clear errors that change nothing, or a forfeit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from polytrix import quatrix_v0
from polytrix.api.aec import AECGame
from polytrix.core.errors import GameOverError, IllegalActionError
from tests.api.aec_play import everything, illegal, play_out, played


def test_the_error_of_an_illegal_action_lists_no_more_than_eight_legal_ones() -> None:
    env, rng, counts = played(quatrix_v0.raw_env(), 0), np.random.default_rng(0), set()
    for _ in range(40):
        legal = env.legal_actions()
        counts.add(len(legal))
        listed = ", ".join(map(str, legal)) if len(legal) <= 8 else ", ".join(map(str, [*legal[:8], "..."]))
        with pytest.raises(IllegalActionError) as error:
            env.step(illegal(env))
        assert f"legal are {listed} ({len(legal)} in all" in str(error.value)
        env.step(int(rng.choice(legal)))
    assert {7, 8, 9} <= counts


@pytest.mark.parametrize("decisions", [0, 3, 6])
def test_a_forfeit_is_told_as_by_the_wrapper_of_pettingzoo(decisions: int) -> None:
    ours = played(quatrix_v0.env(), decisions)
    wrapped = played(TerminateIllegalWrapper(quatrix_v0.raw_env(), illegal_reward=-1), decisions)
    position = ours.save()
    wrapped.step(illegal(ours))
    ours.step(illegal(ours))
    assert ours.rewards == wrapped.rewards and ours.terminations == wrapped.terminations
    assert ours.save() == position and ours.legal_actions() == [] and not any(ours.truncations.values())
    assert not any(ours.observe(agent)["action_mask"].any() for agent in ours.agents)
    for agent in wrapped.agent_iter():
        assert agent == ours.agent_selection
        assert wrapped.last()[1:3] == ours.last()[1:3]
        wrapped.step(None)
        ours.step(None)
    assert not ours.agents


def test_a_number_that_is_no_action_is_no_forfeit() -> None:
    """An illegal action ends the game, a mistake does not."""
    env = AECGame("quatrix")
    env.reset(seed=1)
    position = env.save()
    for number in (-1, env.game.actions.size, 10**9):
        with pytest.raises(IllegalActionError):
            env.step(number)
    assert env.save() == position and not any(env.terminations.values())


def test_a_forfeit_takes_back_shaped_rewards() -> None:
    env = quatrix_v0.env(shaping=1.0)
    env.reset(seed=3)
    told = dict.fromkeys(env.agents, 0.0)
    for _ in range(30):
        told[env.agent_selection] += env.last()[1]
        env.step(env.legal_actions()[0])
    offender = env.agent_selection
    told[offender] += env.last()[1]
    env.step(illegal(env))
    rest, _ = play_out(env)
    assert told[offender] + rest[offender] == pytest.approx(-1, abs=1e-6)
    assert sum(told.values()) + sum(rest.values()) == pytest.approx(-1, abs=1e-6)


def test_a_step_before_reset() -> None:
    env = quatrix_v0.env()
    for act in (
        lambda: env.step(0), lambda: env.step(None), env.last, lambda: env.observe("player_0"), env.state,
        env.render, env.save, lambda: env.format_action(0), lambda: env.parse_action("pass"),
    ):  # fmt: skip
        with pytest.raises(GameOverError, match="call reset"):
            act()
    assert env.legal_actions() == [] and env.agents == []


def test_steps_after_the_end() -> None:
    env = played(quatrix_v0.raw_env(max_decisions=4), 4)
    before = everything(env)
    for action in (0, "pass", 1.5):
        with pytest.raises(GameOverError, match=r"step\(None\), or begin the next game"):
            env.step(action)  # type: ignore[arg-type]
    assert everything(env) == before
    env.step(None)
    env.step(None)
    assert env.agents == []
    before = everything(env)
    for act in (lambda: env.step(None), lambda: env.step(0), env.last):
        with pytest.raises(GameOverError, match="every agent has left"):
            act()
    assert everything(env) == before


@pytest.mark.parametrize("action", [np.int8, np.int32, np.int64, np.uint16, lambda i: np.array(i)])
def test_integers_of_any_type_are_actions(action: Callable[[int], Any]) -> None:
    expected, env = played(quatrix_v0.raw_env(), 3), played(quatrix_v0.raw_env(), 3)
    legal = env.legal_actions()[0]
    expected.step(legal)
    env.step(action(legal) if legal < 128 else np.int32(legal))
    assert everything(env) == everything(expected)
