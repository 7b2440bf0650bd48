"""RLlib: the league of past selves, also on runners that come back."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module import MultiRLModuleSpec, RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from polytrix.api.rllib.batch import BatchPPOConfig
from polytrix.api.rllib.league import (
    LEARNER,
    League,
    LineUp,
    decisions,
    league_of,
    past,
    self_play,
    tallies,
)
from polytrix.api.rllib.modules import LearningNetwork, layers_of
from polytrix.core.errors import PolicyError

SHORT = {"max_decisions": 60}


class Episode:
    """All that a line-up asks of an episode."""

    def __init__(self, number: int) -> None:
        self.id_ = f"{number:032x}"


@pytest.mark.parametrize("players", [2, 4])
def test_no_seat_is_favoured_and_shares_are_kept(players: int) -> None:
    line_up = LineUp(players, (("random", 0.1), ("greedy", 0.2)), 0.3, selves=3)
    agents = [f"player_{seat}" for seat in range(players)]
    tables = [tuple(line_up(agent, Episode(n)) for agent in agents) for n in range(20_000)]
    assert tables[:50] == [tuple(line_up(agent, Episode(n)) for agent in agents) for n in range(50)]
    mixed = [table for table in tables if set(table) != {LEARNER}]
    assert all(table.count(LEARNER) == 1 and len(set(table)) == 2 for table in mixed)
    seats = Counter(table.index(LEARNER) for table in mixed)
    others = Counter(next(iter(set(table) - {LEARNER})) for table in mixed)
    assert all(count == pytest.approx(len(mixed) / players, rel=0.1) for count in seats.values())
    shares = {"random": 0.1, "greedy": 0.2, past(0): 0.1, past(1): 0.1, past(2): 0.1}
    assert others.keys() == shares.keys()
    assert all(others[name] == pytest.approx(20_000 * share, rel=0.1) for name, share in shares.items())


def test_the_learner_joins_when_it_wins_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    league = League(LineUp(4, share_past=1.0), lead=0.2, games=100)
    frozen: list[None] = []
    monkeypatch.setattr(league, "freeze", lambda algorithm: frozen.append(None))

    def after(won: float, opponent: str = past(0)) -> int:
        counted = {"env_runners": {"league": {opponent: {"games": 50, "won": won}}}}
        league.on_train_result(algorithm=None, result=counted)
        return len(frozen)

    assert [after(25), after(14)] == [0, 0]  # 39%; the fair share is 25%, enough are 40%
    assert [after(15), after(25)] == [0, 1]  # 40%, of these games alone
    assert [after(50, "random"), after(50, "random")] == [1, 1]
    nothing = {"env_runners": {"league": {past(0): {"games": float("nan"), "won": float("nan")}}}}
    league.on_train_result(algorithm=None, result=nothing)
    assert tallies(nothing) == {}
    late: dict[str, Any] = {}  # no runner has answered in time
    league.on_train_result(algorithm=None, result=late)
    assert tallies(late) == {} and decisions(late) == 0


def test_shares_are_checked() -> None:
    with pytest.raises(ValueError, match="at most 1"):
        self_play(PPOConfig(), "quatrix", opponents={"random": 0.6}, share_past=0.5)
    with pytest.raises(ValueError, match="from 2"):
        self_play(PPOConfig(), "quatrix", pool_size=1)


class Scaled(LearningNetwork):
    """A network of a user's own, with a setting of its own."""

    def features(self, batch: Any) -> Any:
        return self.model_config["factor"] * super().features(batch)


SCALED = RLModuleSpec(module_class=Scaled, model_config={"layers": (8,), "factor": 2})


def small(kind: type[PPOConfig], **arguments: Any) -> PPOConfig:
    """Self-play that freezes the learner after two games against past selves."""
    often: dict[str, Any] = {"share_past": 0.8, "lead": -1.0, "games": 2, "pool_size": 3, **SHORT, **arguments}
    config = self_play(kind(), "pressure_matrix", **often)
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=8, rollout_fragment_length=100)
    config.training(train_batch_size_per_learner=800, minibatch_size=200, num_epochs=1, use_kl_loss=False)
    return config.debugging(log_level="ERROR", seed=1)


@pytest.mark.slow
@pytest.mark.usefixtures("_ray")
@pytest.mark.parametrize("kind", [PPOConfig, BatchPPOConfig])
def test_a_module_of_ones_own_has_past_selves(kind: type[PPOConfig]) -> None:
    algorithm = small(kind, module=SCALED).build_algo()
    try:
        for _ in range(4):
            algorithm.train()
        assert league_of(algorithm).frozen > 3
        for name in (LEARNER, past(0), past(2)):
            module = algorithm.get_module(name)
            assert type(module) is Scaled and module.model_config["factor"] == 2
        with pytest.raises(PolicyError, match="module is Scaled; only"):
            layers_of(module)  # would play without the factor
    finally:
        algorithm.stop()


@pytest.mark.slow
@pytest.mark.usefixtures("_ray")
def test_past_selves_of_another_network_are_refused_at_the_start() -> None:
    config = small(PPOConfig)
    modules = {**config.rl_module_spec.rl_module_specs, LEARNER: SCALED}
    config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
    with pytest.raises(
        ValueError, match=r"past_0 is FrozenNetwork.*Scaled.*does not fit; give both by self_play"
    ):
        config.build_algo()


def test_modules_with_which_the_batched_runner_cannot_play_are_refused() -> None:
    other = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config={})
    with pytest.raises(
        ValueError, match=r"the class of module learner is .*allows LearningNetwork and classes"
    ):
        small(BatchPPOConfig, module=other).validate()
    small(BatchPPOConfig, module=SCALED).validate()


@pytest.mark.slow
@pytest.mark.usefixtures("_ray")
@pytest.mark.parametrize("kind", [PPOConfig, BatchPPOConfig])
def test_past_selves_are_what_they_were_on_runners_that_come_back_too(kind: type[PPOConfig]) -> None:
    config = self_play(kind(), "pressure_matrix", layers=(8,), share_past=1.0, pool_size=3, lead=1.0, **SHORT)
    config.env_runners(num_env_runners=1, num_envs_per_env_runner=4, rollout_fragment_length=20)
    config.training(train_batch_size_per_learner=80, minibatch_size=40, num_epochs=1, use_kl_loss=False)
    config.fault_tolerance(restart_failed_env_runners=True, delay_between_env_runner_restarts_s=0.1)
    algorithm = config.debugging(log_level="ERROR").build_algo()
    try:
        league = league_of(algorithm)

        def weights(name: str, runner: Any) -> Any:
            return layers_of(runner.module[name])[-1][0]

        def everywhere(name: str) -> list[Any]:
            on_runners = algorithm.env_runner_group.foreach_env_runner(partial(weights, name))
            return [*on_runners, layers_of(algorithm.learner_group._learner.module[name])[-1][0]]

        selves = {}
        for name in (past(1), past(2), past(1)):  # the third one takes the place of the oldest but the first
            algorithm.train()
            league.freeze(algorithm)
            selves[name] = layers_of(algorithm.get_module(LEARNER))[-1][0].copy()
            found = everywhere(name)
            assert len(found) == 3 and all(np.array_equal(each, selves[name]) for each in found)
        assert league.line_up.selves == 3 and league.frozen == 4

        group = algorithm.env_runner_group
        (process,) = group.foreach_env_runner(lambda runner: os.getpid(), local_env_runner=False)
        os.kill(process, signal.SIGKILL)
        until = time.monotonic() + 300
        algorithm.train()
        while not group.num_healthy_remote_workers() and time.monotonic() < until:
            time.sleep(0.5)
            algorithm.train()
        (other,) = group.foreach_env_runner(lambda runner: os.getpid(), local_env_runner=False)
        assert other != process
        for name, expected in selves.items():
            assert all(np.array_equal(each, expected) for each in everywhere(name))
        mappings = group.foreach_env_runner(lambda runner: runner.config.policy_mapping_fn)
        assert mappings == [league.line_up] * 2
    finally:
        algorithm.stop()
