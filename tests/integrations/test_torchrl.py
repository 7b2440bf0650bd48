"""TorchRL's own wrappers around the games: specs, masks, whose rewards come where, and learning."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("torchrl", reason="needs the extra torchrl: make test-integrations")

import torch
from torchrl.envs import ActionMask, GymWrapper, MarlGroupMapType, PettingZooWrapper, TransformedEnv
from torchrl.envs.utils import check_env_specs

import polytrix
from polytrix.api.aec import AECGame
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator

from .examples import command_of, run_example, run_python_of, wins_in

pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version")
every_game = pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)


def all_seats(game: Game, **arguments: object) -> PettingZooWrapper:
    return PettingZooWrapper(
        AECGame(game, **arguments), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, seed=5
    )


def one_seat(game: Game, rows: int, **arguments: object) -> TransformedEnv:
    envs = gym.make_vec(game.id, rows, autoreset_mode="Disabled", **arguments)
    return TransformedEnv(
        GymWrapper(envs, categorical_action_encoding=True).auto_register_info_dict(), ActionMask()
    )


@every_game
def test_torchrls_own_checks(game: Game) -> None:
    check_env_specs(all_seats(game, illegal_action="raise"))
    check_env_specs(one_seat(game, 3))


@every_game
def test_every_seat_gets_its_payoff(game: Game) -> None:
    """Also those that do not move last. The same actions in the simulator tell the payoffs."""
    torch.manual_seed(1)  # of the random actions
    env = all_seats(game, max_decisions=150)
    seen = 0
    for seed in range(6):
        env.set_seed(seed)  # begins the game of the seed, and rollout the one after it
        played = env.rollout(300, auto_reset=False, tensordict=env.reset(seed=seed))
        simulator = Simulator(game, 1, {"max_decisions": 150}, seed=seed)
        movers = played["agents", "mask"].int().argmax(1)
        for mover, actions in zip(movers, played["agents", "action"], strict=True):
            assert simulator.mover[0] == mover
            simulator.step(actions[mover].numpy()[None])
        assert simulator.over.all()
        rewards = played["next", "agents", "reward"].sum(0)[:, 0].numpy()
        np.testing.assert_array_equal(rewards, simulator.reward[0, : len(rewards)])
        seen += int(np.abs(rewards).sum() > 0)
    assert seen or game.name in ("quatrix", "pixel_tactics"), "no game had a winner"


@every_game
def test_one_seat_is_what_the_vector_environment_says(game: Game) -> None:
    """Same seeds and actions: same observations, masks and rewards, and never an illegal action."""
    rows, steps = 5, 100
    env = one_seat(game, rows, opponent="random", max_decisions=60)
    played = env.rollout(steps, break_when_any_done=False, auto_reset=False, tensordict=env.reset(seed=9))
    legal = played["action_mask"].gather(-1, played["action"][..., None])
    assert (legal == 1).all()

    envs = gym.make_vec(game.id, rows, opponent="random", max_decisions=60, autoreset_mode="Disabled")
    observation, info = envs.reset(seed=9)
    ended = 0
    for step in range(steps):
        now = played[:, step]
        np.testing.assert_array_equal(now["observation"], observation)
        np.testing.assert_array_equal(now["action_mask"], info["action_mask"])
        observation, reward, terminated, truncated, info = envs.step(now["action"].numpy())
        np.testing.assert_array_equal(now["next", "observation"], observation)
        np.testing.assert_allclose(now["next", "reward"][:, 0], reward, rtol=1e-6)
        np.testing.assert_array_equal(now["next", "truncated"][:, 0], truncated)
        done = terminated | truncated
        if done.any():
            observation, info = envs.reset(options={"reset_mask": done})
            ended += done.sum()
    assert ended >= rows


def test_the_page_runs() -> None:
    names = run_python_of("torchrl.md")
    played, payoffs = names["played"], names["payoffs"]
    assert bool(played["action_mask"].gather(-1, played["action"][..., None]).all())  # type: ignore[index]
    assert payoffs.shape == (2,)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_the_example_as_the_page_calls_it() -> None:
    before, after = wins_in(run_example("torchrl_quatrix.py", *command_of("torchrl.md", "torchrl_quatrix.py")))
    assert after >= before + 15
