"""Games in Tianshou: the native vector environment, bad calls, the page and the example."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

pytest.importorskip("tianshou", reason="needs the extra tianshou: make test-integrations")

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

from polytrix.api.tianshou import MaskedVectorEnv
from polytrix.core.game import Game
from tests.every_game import every_game
from tests.shared.bad_calls import all_refused, only_while_open
from tests.shared.batch_targets import NO_ARRAY, LearnerTarget, as_arrays
from tests.shared.targets import BAD_ROWS, Bad, bad, seeding

from .examples import command_of, run_example, run_python_of, wins_in

# -- the native vector environment ---------------------------------------------------------


@every_game
def test_it_is_what_the_vector_environment_says(game: Game) -> None:
    """Same seeds and actions: same observations, masks, rewards and ends; games reset one by one."""
    rows, rng = 5, np.random.default_rng(3)
    envs = MaskedVectorEnv(game, rows, opponents=["random"], seat="random", max_decisions=60)
    same = gym.make_vec(game.id, rows, opponent="random", max_decisions=60, autoreset_mode="Disabled")
    seen, _ = envs.reset(seed=9)
    observation, info = same.reset(seed=9)
    ended = 0
    for _ in range(100):
        np.testing.assert_array_equal(seen.obs, observation)
        np.testing.assert_array_equal(seen.mask, info["action_mask"])
        action = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen.mask])
        seen, reward, terminated, truncated, infos = envs.step(action)
        observation, expected, *over, info = same.step(action)
        np.testing.assert_array_equal(seen.obs, observation)
        np.testing.assert_array_equal(reward, expected)
        np.testing.assert_array_equal(terminated, over[0] | over[1])
        assert not truncated.any()
        np.testing.assert_array_equal([each["truncated"] for each in infos], over[1])
        np.testing.assert_array_equal([each["seat"] for each in infos], info["seat"])
        if terminated.any():
            done = np.flatnonzero(terminated)
            begun, infos = envs.reset(env_id=done)
            assert [each["env_id"] for each in infos] == done.tolist()
            seen[done] = begun
            observation, info = same.reset(options={"reset_mask": terminated})
            ended += len(done)
    assert ended >= rows


def test_some_rows_alone() -> None:
    envs = MaskedVectorEnv("resistor", 4, opponents=["greedy"], seed=1)
    before, _ = envs.reset()
    seen, reward, *_ = envs.step(before.mask[[1, 3]].argmax(axis=1), [1, 3])
    assert seen.obs.shape[0] == len(reward) == 2
    now = envs.batch.observation()
    np.testing.assert_array_equal(now[[0, 2]], before.obs[[0, 2]])
    assert (now[[1, 3]] != before.obs[[1, 3]]).any(axis=1).all()


def test_equal_seeds_equal_games() -> None:
    first, _ = MaskedVectorEnv("resistor", 3, opponents=["random"], seed=4).reset()
    envs = MaskedVectorEnv("resistor", 3, opponents=["random"])
    envs.reset()
    assert envs.seed(4) == [[4], [5], [6]]
    np.testing.assert_array_equal(envs.reset()[0].obs, first.obs)


def test_every_episode_that_tianshou_collects_ends_with_the_learners_payoff() -> None:
    """As many wins as losses are counted as the batch itself has had, for both seats and last movers."""
    payoffs: list[float] = []
    envs = MaskedVectorEnv("pressure_matrix", 4, opponents=["random"], seed=2)
    step = envs.step

    def noting(action: np.ndarray, id: np.ndarray) -> tuple[object, ...]:
        result = step(action, id)
        payoffs.extend(envs.batch.payoff(np.asarray(id)[result[2]]))
        return result

    envs.step = noting  # type: ignore[method-assign]
    algorithm = dqn(envs)
    collector = Collector(algorithm, envs, VectorReplayBuffer(4000, 4), exploration_noise=True)
    collector.reset()
    stats = collector.collect(n_episode=40)
    np.testing.assert_allclose(sorted(stats.returns), sorted(payoffs))
    assert min(stats.returns) == -1 and max(stats.returns) == 1


def dqn(envs: MaskedVectorEnv) -> DQN:
    actions, seen = envs.action_space[0], envs.observation_space[0]
    net = Net(state_shape=seen["obs"].shape, action_shape=actions.n, hidden_sizes=[64])
    policy = DiscreteQLearningPolicy(model=net, action_space=actions, eps_training=0.5)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=50)


def test_dqn_learns_without_an_illegal_action() -> None:
    """The environment raises at the first one."""
    envs = MaskedVectorEnv("quatrix", 4, opponents=["random", "greedy"], shaping=1.0, seed=1, max_decisions=60)
    torch.manual_seed(1)
    algorithm = dqn(envs)
    before = [weights.clone() for weights in algorithm.policy.parameters()]
    collector = Collector(algorithm, envs, VectorReplayBuffer(4000, 4), exploration_noise=True)
    collector.reset()
    with policy_within_training_step(algorithm.policy):
        for _ in range(20):
            collector.collect(n_step=40)
            algorithm.update(sample_size=32, buffer=collector.buffer)
    after = list(algorithm.policy.parameters())
    assert all((old != new).any() for old, new in zip(before, after, strict=True))


# -- bad calls, as in tests/shared/test_bad_calls.py ------------------------------------------------


class TianshouTarget(LearnerTarget):
    """Tianshou; row 0 of three is tested."""

    name = "tianshou"

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.envs = MaskedVectorEnv(game, 3, opponents=["random"], seed=seed, **options)
        self.batch = self.envs.batch

    def reset(self, seed: int) -> None:
        self.envs.reset(seed=seed)

    def step(self, action: Any) -> None:
        self.envs.step([action], [0])

    def memory(self) -> bytes:
        return super().memory() + self.envs._fresh.tobytes()

    def close(self) -> None:
        self.envs.close()

    def bad_calls(self) -> Iterator[Bad]:
        envs = self.envs
        yield from as_arrays(super().bad_calls())
        good = self.batch.mask().argmax(axis=1)
        for actions in (good[:2], good[None], good * 1.0, good.astype(bool), [], None, "abc", [[], [1]]):
            yield bad(NO_ARRAY, envs.step, actions)
        for rows in BAD_ROWS:
            if np.shape(np.array(rows, object)) or isinstance(rows, str):  # Tianshou accepts a single number
                yield bad(IndexError, envs.step, good[:1], rows)
                yield bad(IndexError, envs.reset, rows)
        yield from seeding(lambda seed: envs.reset(seed=seed))
        for seed in (-1, 2**63 - 1, 1.5, "a", True, [1], [1, 2, -1], [1, 2, 3, 4], (1, 2), np.arange(3)):
            yield bad(ValueError, envs.seed, seed)


@every_game
def test_bad_calls_are_refused_and_change_nothing(game: Game) -> None:
    assert all_refused(TianshouTarget, game) > 50


@every_game
def test_a_step_before_reset_and_after_close(game: Game) -> None:
    only_while_open(TianshouTarget, game)


# -- the page and the example ------------------------------------------------------------


def test_the_page_runs() -> None:
    assert isinstance(run_python_of("tianshou.md")["envs"], MaskedVectorEnv)


@pytest.mark.slow
def test_the_example_as_the_page_calls_it() -> None:
    arguments = command_of("tianshou.md", "tianshou_quatrix.py")
    before, after = wins_in(run_example("tianshou_quatrix.py", *arguments))
    assert after >= before + 15


def test_observations_in_float32_are_the_same() -> None:
    envs = MaskedVectorEnv("quatrix", 3, seed=1, opponents=["random"])
    other = MaskedVectorEnv("quatrix", 3, seed=1, opponents=["random"], dtype="float32")
    space = other.get_env_attr("observation_space")[0]["obs"]
    assert space.dtype == np.float32
    (seen, _), (floats, _) = envs.reset(), other.reset()
    assert floats.obs.dtype == np.float32 and floats.obs[0] in space
    assert (seen.obs == floats.obs).all() and (seen.mask == floats.mask).all()
