"""AgileRL on the Gymnasium vector environment: masks, what its rollouts do to payoffs, and learning."""

from __future__ import annotations

import runpy

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("agilerl", reason="needs the extra agilerl: make test-integrations")

import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts
from agilerl.training.train_on_policy import train_on_policy

import polytrix
from polytrix.core.game import Game
from tests.every_game import every_game
from tests.pages import ROOT

from .examples import command_of, run_example, run_python_of, wins_in

pytestmark = pytest.mark.filterwarnings("ignore:TensorDict.to_module:FutureWarning")


def strict(game: Game, rows: int, **arguments: object) -> gym.vector.VectorEnv:
    """An environment that raises at the first illegal action."""
    return gym.make_vec(game.id, rows, illegal_action="raise", autoreset_mode="SameStep", **arguments)


def learner(envs: gym.vector.VectorEnv, learn_step: int, **settings: float) -> PPO:
    """With small networks."""
    small = {"encoder_config": {"hidden_size": [32]}, "head_config": {"hidden_size": [32]}}
    spaces = envs.single_observation_space, envs.single_action_space
    return PPO(*spaces, net_config=small, num_envs=envs.num_envs, learn_step=learn_step, **settings)


@every_game
def test_ppo_learns_without_an_illegal_action(game: Game) -> None:
    """Each episode's score is the payoff of the learner's seat: zero or at most 1 in size, without shaping."""
    envs = strict(game, 4, max_decisions=60, opponent="greedy")
    agent = learner(envs, 400)
    before = [weights.clone() for weights in agent.actor.parameters()]
    scores, *_ = collect_rollouts(agent, envs)
    assert scores and all(-1 <= score <= 1 for score in scores)
    legal, actions = agent.rollout_buffer.buffer["action_masks"], agent.rollout_buffer.buffer["actions"]
    assert legal.gather(-1, actions.long()).all()
    assert not legal.all()
    agent.learn()
    after = list(agent.actor.parameters())
    assert any((old != new).any() for old, new in zip(before, after, strict=True))


def test_the_examples_collect_gives_every_decision_its_payoff() -> None:
    """A payoff reaches all decisions of its game, and none of another: returns with gamma = lambda = 1."""
    collect = runpy.run_path(str(ROOT / "examples" / "agilerl_quatrix.py"))["collect"]
    envs = strict(polytrix.find("pressure_matrix"), 3)
    agent = learner(envs, 900, gamma=1.0, gae_lambda=1.0)
    envs.reset(seed=1)
    finished, *_ = collect(agent, envs, 300)
    buffer = agent.rollout_buffer.buffer
    begun, rewards, returns = (buffer[name].numpy() for name in ("dones", "rewards", "returns"))
    games = won_or_lost = 0
    for row in range(3):
        begins = np.flatnonzero(begun[:, row])  # told with the step after the end
        for begin, after in zip([0, *begins], begins, strict=False):
            np.testing.assert_allclose(returns[begin:after, row], rewards[after - 1, row], atol=1e-4)
            games += 1
            won_or_lost += int(rewards[after - 1, row] != 0)
    assert len(finished) - 3 <= games <= len(finished)  # the last step of a row may have ended a game
    assert won_or_lost > 5


def test_its_training_takes_the_examples_collect() -> None:
    collect = runpy.run_path(str(ROOT / "examples" / "agilerl_quatrix.py"))["collect"]
    envs = strict(polytrix.find("quatrix"), 4, max_decisions=40)
    agent = learner(envs, 100)
    (trained,), _ = train_on_policy(
        envs,
        "quatrix",
        "PPO",
        [agent],
        max_steps=200,
        evo_steps=100,
        eval_steps=50,
        verbose=False,
        collect_rollouts_fn=collect,
    )
    assert trained.steps >= 200


def test_the_page_runs() -> None:
    torch.manual_seed(1)
    assert isinstance(run_python_of("agilerl.md")["agent"], PPO)


@pytest.mark.slow
def test_the_example_as_the_page_calls_it() -> None:
    arguments = command_of("agilerl.md", "agilerl_quatrix.py")
    before, after = wins_in(run_example("agilerl_quatrix.py", *arguments))
    assert after >= before + 15
