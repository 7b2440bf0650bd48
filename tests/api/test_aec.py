"""The PettingZoo API, with Quatrix and a small game with hidden information."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from polytrix import Simulator, quatrix_v0
from polytrix.api.aec import AECGame
from polytrix.core.errors import (
    IllegalActionError,
)
from polytrix.games.quatrix import GAME
from tests.api.aec_play import illegal, play_out, played
from tests.high import HIGH
from tests.toys import CALL, SECRET

MADE: list[tuple[Callable[..., AECGame], dict[str, Any]]] = [
    (quatrix_v0.env, {}),
    (quatrix_v0.raw_env, {"max_decisions": 30, "finish_depth": 1}),
    (quatrix_v0.env, {"max_decisions": 7, "combined_straight": "landed", "scoring": "odds"}),
    (quatrix_v0.raw_env, {"max_decisions": 50, "shaping": 1.0, "gamma": 0.9}),
    (quatrix_v0.env, {"max_decisions": 25, "illegal_action": "forfeit", "render_mode": "ansi"}),
    (quatrix_v0.env, {"max_decisions": 40, "dtype": "float32"}),
    (partial(AECGame, SECRET), {"illegal_action": "forfeit"}),
    *((partial(AECGame, HIGH), {"players": players}) for players in (2, 3, 4)),
]

# PettingZoo's api_test has its own list of environments that may have dict observations, and
# mistakes the all-zero mask of an agent whose game is over for an error.
NOT_OURS = (
    "Observation is not a NumPy array",
    "Observation space for each agent",
    "Action mask numpy array is",
)


@contextmanager
def our_warnings_are_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in NOT_OURS:
            warnings.filterwarnings("ignore", message)
        yield


# -- PettingZoo's own tests ---------------------------------------------------------------


@pytest.mark.parametrize(("make", "arguments"), MADE)
def test_pettingzoos_own_tests(make: Callable[..., AECGame], arguments: dict[str, Any]) -> None:
    with our_warnings_are_errors():
        api_test(make(**arguments), num_cycles=60)
        seed_test(lambda: make(**arguments), num_cycles=60)


def test_pettingzoos_own_test_has_no_warning_without_a_dict() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(quatrix_v0.env(max_decisions=40, flatten=True), num_cycles=60)


# -- a game from beginning to end ---------------------------------------------------------


def test_agents_and_spaces() -> None:
    env = quatrix_v0.env()
    assert env.possible_agents == ["player_0", "player_1"] and env.agents == []
    assert env.metadata == {
        "name": "quatrix_v0",
        "render_modes": ["ansi", "rgb_array", "human"],
        "render_fps": 4,
        "is_parallelizable": False,
    }
    assert str(env) == "quatrix_v0"
    env.metadata["name"] = "another"
    assert quatrix_v0.env().metadata["name"] == "quatrix_v0"
    space = env.observation_space("player_0")
    assert space is env.observation_space("player_0") is not env.observation_space("player_1")
    assert env.action_space("player_1") is env.action_space("player_1")
    assert space["observation"].dtype == space["action_mask"].dtype == np.int8
    assert space["observation"].high.tolist() == GAME.observations.high.tolist()
    assert env.action_space("player_0").n == space["action_mask"].shape[0] == GAME.actions.size


def test_what_an_agent_was_given_does_not_change_later() -> None:
    env = played(quatrix_v0.env(), 4)
    given, *_, info = env.last()
    other = env.observe("player_1")
    assert given is not None
    before = [array.copy() for array in (*given.values(), *other.values())]
    info["note"] = 1
    for _ in range(4):
        env.step(env.legal_actions()[-1])
    for array, copied in zip((*given.values(), *other.values()), before, strict=True):
        np.testing.assert_array_equal(array, copied)
    assert env.infos == {"player_0": {}, "player_1": {}}


def test_legality_does_not_come_from_the_arrays_handed_out() -> None:
    env = played(quatrix_v0.raw_env(), 4)
    given, *_ = env.last()
    assert given is not None
    given["action_mask"][:] = 1
    with pytest.raises(IllegalActionError):
        env.step(illegal(env))


def test_every_agent_may_look_at_any_time_and_only_the_mover_may_act() -> None:
    env = AECGame(SECRET)
    env.reset(seed=3)
    looks = 0
    while env.legal_actions():
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert seen["action_mask"].any() == (agent == env.agent_selection)
            number = SECRET.observations.view(seen["observation"])["number"].argmax()
            assert number == env.record.secret[int(agent[-1])]
            looks += 1
        env.step(env.legal_actions()[0])
    assert looks > 8
    with pytest.raises(ValueError, match="'player_2'; allowed: player_0, player_1"):
        env.observe("player_2")


def test_state_is_all_views_side_by_side() -> None:
    env = played(quatrix_v0.env(), 5)
    views = [env.observe(agent)["observation"] for agent in env.possible_agents]
    np.testing.assert_array_equal(env.state(), np.concatenate(views))
    assert env.state() in env.state_space and env.state().dtype == np.int8


def test_truncation_at_the_limit_of_decisions() -> None:
    limit = 25
    env = quatrix_v0.raw_env(max_decisions=limit)
    env.reset(seed=1)
    for _ in range(limit):
        assert not any(env.truncations.values())
        env.step(env.legal_actions()[0])
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.terminations == {"player_0": False, "player_1": False}
    assert env.legal_actions() == [] and not any(
        env.observe(agent)["action_mask"].any() for agent in env.agents
    )
    told, left = play_out(env)
    assert told == {"player_0": 0.0, "player_1": 0.0}
    assert left == ["player_0", "player_1"]


def test_the_payoff_reaches_every_agent() -> None:
    env = AECGame(SECRET)
    results = set()
    for seed in range(12):
        env.reset(seed=seed)
        secret = env.record.secret.copy()
        while CALL not in env.legal_actions():
            env.step(0)
        caller = int(env.agent_selection[-1])
        env.step(CALL)
        payoff = float(np.sign(int(secret[caller]) - int(secret[1 - caller])))
        assert env.rewards == {f"player_{caller}": payoff, f"player_{1 - caller}": -payoff}
        assert env.terminations == {"player_0": True, "player_1": True}
        assert all(type(flag) is bool for flag in (*env.terminations.values(), *env.truncations.values()))
        told, left = play_out(env)
        assert told == {f"player_{caller}": payoff, f"player_{1 - caller}": -payoff}
        assert sum(told.values()) == 0 and left == ["player_0", "player_1"]
        results.add(payoff)
    assert results >= {1.0, -1.0}


# -- shaping ------------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaped_rewards_are_differences_of_the_potential(gamma: float) -> None:
    env = quatrix_v0.raw_env(shaping=2.5, gamma=gamma, max_decisions=40)
    env.reset(seed=8)
    mirror = Simulator(GAME, 1, {"max_decisions": 40}, seed=8)
    rng = np.random.default_rng(1)
    pending = np.zeros(2)
    seen_nonzero = False
    while env.legal_actions():
        mover = int(env.agent_selection[-1])
        assert env.last()[1] == pytest.approx(pending[mover])
        before = mirror.potential()[0].astype(float)
        action = rng.choice(env.legal_actions())
        env.step(action)
        mirror.step([action])
        after = mirror.potential()[0].astype(float)
        expected = 2.5 * (gamma * after - before)
        assert list(env.rewards.values()) == pytest.approx(expected.tolist())
        assert sum(env.rewards.values()) == pytest.approx(0)
        pending[mover] = 0
        pending += expected
        seen_nonzero |= bool(expected.any())
    assert seen_nonzero and (after == 0).all(), "the potential is 0 once over"
    assert [env._cumulative_rewards[agent] for agent in env.agents] == pytest.approx(pending.tolist())


@pytest.mark.parametrize("begin", ["reset", "load"])
def test_shaping_starts_from_the_potential_of_the_game_that_begins(begin: str) -> None:
    """It must not start from the last potential of the previous game."""
    env = played(quatrix_v0.raw_env(shaping=2.0), 31, seed=8)
    left = env._simulator.potential()[0].tolist()
    mirror = Simulator(GAME, 1, seed=9)
    for _ in range(0 if begin == "reset" else 12):
        mirror.step(mirror.legal_ids[:, 0])
    if begin == "reset":
        env.reset(seed=9)
    else:
        env.load(mirror.save())
    before = mirror.potential()[0]
    assert before.tolist() != left
    action = env.legal_actions()[0]
    env.step(action)
    mirror.step([action])
    expected = 2.0 * (mirror.potential()[0] - before)
    assert list(env.rewards.values()) == pytest.approx(expected.tolist())
