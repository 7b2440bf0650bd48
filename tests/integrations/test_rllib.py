"""RLlib: the environment, bad calls, networks, the example."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.commands import run
from tests.pages import ROOT

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import RLModuleSpec
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

import polytrix
from polytrix.agents import NetworkPolicy, load
from polytrix.api.aec import AECGame
from polytrix.api.rllib.batch import BatchPPOConfig
from polytrix.api.rllib.env import ACTION_MASK, OBSERVATIONS, MultiAgentGame, make
from polytrix.api.rllib.league import LEARNER, decisions, past, self_play, tallies
from polytrix.api.rllib.modules import layers_of, network, player, policy_of, save_module
from polytrix.core.errors import GameOverError, OptionError, PolicyError
from polytrix.core.game import Game
from tests.every_game import GAMES, every_game
from tests.shared.bad_calls import all_refused, only_while_open
from tests.shared.targets import Bad, Target, bad, seeding

SHORT = {"max_decisions": 60}

Move = Callable[[dict[str, Any]], int]


def at_random(rng: np.random.Generator) -> Move:
    return lambda seen: int(rng.choice(np.flatnonzero(seen[ACTION_MASK])))


def played(env: Any, seed: int, move: Move) -> tuple[dict[str, float], list[str], dict[str, Any]]:
    """A game by any environment of RLlib: what each agent got in sum, who moved, and the last step."""
    seen, _ = env.reset(seed=seed)
    returns: dict[str, float] = defaultdict(float)
    movers = []
    while True:
        (mover,) = seen
        movers.append(mover)
        seen, rewards, terminated, truncated, infos = env.step({mover: move(seen[mover])})
        assert seen.keys() == rewards.keys()
        for agent, reward in rewards.items():
            returns[agent] += reward
        if terminated["__all__"] or truncated["__all__"]:
            last = {"seen": seen, "terminated": terminated, "truncated": truncated, "infos": infos}
            return dict(returns), movers, last


# -- the environment --------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_seat_gets_its_payoff_when_the_game_ends(name: str) -> None:
    env, aec = MultiAgentGame(name, **SHORT), AECGame(name, **SHORT)
    assert env.possible_agents == env.agents == aec.possible_agents
    rng = np.random.default_rng(0)
    for seed in range(6):
        returns, movers, last = played(env, seed, at_random(rng))
        payoffs = env._simulator.reward[0, : len(env.agents)].tolist()
        assert returns == env.payoffs == dict(zip(env.agents, payoffs, strict=True))
        assert list(last["seen"]) == env.agents and all(last["terminated"].values())
        assert not any(last["truncated"].values())
        assert [info["truncated"] for info in last["infos"].values()] == [len(movers) == 60] * len(env.agents)
        with pytest.raises(GameOverError):
            env.step({env.agents[0]: 0})


@pytest.mark.parametrize("name", GAMES)
def test_rllibs_own_checks_pass(name: str) -> None:
    env = make(polytrix.find(name).id, SHORT)
    check_multiagent_environments(env)
    seen, _ = env.reset(seed=1)
    assert all(env.observation_spaces[agent].contains(each) for agent, each in seen.items())


@pytest.mark.usefixtures("known_toys")
def test_a_seat_that_never_moved_has_its_payoff_as_well() -> None:
    env = MultiAgentGame("high", players=3, turning=False)
    returns, movers, _ = played(env, 2, lambda seen: 2)  # the first two fold
    assert len(movers) == 2 and returns.keys() == set(env.agents)
    assert returns[env.agents[2]] == max(returns.values()) > 0


def test_an_illegal_action_forfeits() -> None:
    env = MultiAgentGame("quatrix")
    seen, _ = env.reset(seed=1)
    (mover,) = seen
    other = next(agent for agent in env.agents if agent != mover)
    _, rewards, terminated, _, _ = env.step({mover: int(seen[mover][ACTION_MASK].argmin())})
    assert rewards == {mover: -1.0, other: 0.0} == env.payoffs and terminated["__all__"]
    with pytest.raises(OptionError, match="float32"):
        MultiAgentGame("quatrix", dtype="float64")  # type: ignore[arg-type]


@pytest.mark.usefixtures("known_toys")
def test_shaping_goes_from_decision_to_decision() -> None:
    env = MultiAgentGame("high", players=3, shaping=0.5, gamma=0.9)
    seen, _ = env.reset(seed=3)
    rng, before, got = np.random.default_rng(0), dict[str, float](), 0
    while not env.payoffs:
        (mover,) = seen
        potential = float(env._simulator.potential()[0, env.agents.index(mover)])
        if mover in before:
            assert rewards[mover] == pytest.approx(0.5 * (0.9 * potential - before[mover]))  # noqa: F821
            got += 1
        before[mover] = potential
        seen, rewards, _, _, _ = env.step({mover: at_random(rng)(seen[mover])})
    assert got
    for agent, payoff in env.payoffs.items():
        assert rewards[agent] == pytest.approx(payoff - 0.5 * before.get(agent, 0.0))


def test_runners_have_games_of_their_own() -> None:
    """RLlib seeds environment i of runner r with `seed + r + i`."""
    from ray.rllib.env.env_context import EnvContext

    made = [make("polytrix/quatrix-v0", EnvContext({}, worker_index=r)) for r in (1, 2)]
    first, second = (env.reset(seed=100 - env.runner)[0] for env in made)
    assert not np.array_equal(
        next(iter(first.values()))[OBSERVATIONS], next(iter(second.values()))[OBSERVATIONS]
    )


# -- bad calls, as in tests/shared/test_bad_calls.py ------------------------------------------------


class RLlibTarget(Target):
    """RLlib."""

    name = "rllib"

    def __init__(self, game: Game, seed: int, **options: Any) -> None:
        super().__init__(game, seed, **options)
        self.env = MultiAgentGame(game, illegal_action="raise", **options)

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)

    def legal(self) -> list[int]:
        legal: list[int] = np.flatnonzero(self.env._simulator.mask[0]).tolist()
        return legal

    def step(self, action: Any) -> None:
        self.env.step({self.env._aec.agent_selection: action})

    def memory(self) -> bytes:
        env = self.env
        told = (
            env.payoffs,
            env.truncated,
            env._aec.agent_selection,
            env._before,
            env._simulator.mask.tobytes(),
        )
        return env._simulator.save() + repr(told).encode()

    def close(self) -> None:
        self.env.close()

    def bad_calls(self) -> Iterator[Bad]:
        env = self.env
        yield from super().bad_calls()
        yield from seeding(lambda seed: env.reset(seed=seed))
        if not self.legal():
            return
        mover = env._aec.agent_selection
        other = next(agent for agent in env.agents if agent != mover)
        wrong: tuple[Any, ...] = (
            {}, {other: 0}, {mover: 0, other: 0}, {"player_9": 0}, {0: 0, "a": 1}, {None: 0},
        )  # fmt: skip
        for actions in wrong:
            yield bad(ValueError, env.step, actions)
        for thing in (None, 0, [0], "player_0", {mover}):
            yield bad(TypeError, env.step, thing)


@every_game
def test_bad_calls_are_refused_and_change_nothing(game: Game) -> None:
    assert all_refused(RLlibTarget, game) > 50


@every_game
def test_a_step_before_reset_and_after_close(game: Game) -> None:
    only_while_open(RLlibTarget, game)


def test_a_runner_whose_seeds_would_be_too_large() -> None:
    env = MultiAgentGame("quatrix", runner=3)
    with pytest.raises(ValueError, match="allowed: a whole number from 0"):
        env.reset(seed=2**63 - 2**32)


# -- networks ---------------------------------------------------------------------------------


def module_of(spec: RLModuleSpec, game: Game) -> Any:
    env = MultiAgentGame(game)
    agent = env.agents[0]
    made = replace(spec, observation_space=env.observation_spaces[agent], action_space=env.action_spaces[agent])
    return made.build()


def batch_of(game: Game, decisions: int) -> dict[str, Any]:
    env, rng, seen = MultiAgentGame(game), np.random.default_rng(0), []
    played(env, 1, lambda each: seen.append(each) or at_random(rng)(each))  # type: ignore[func-returns-value]
    return {
        Columns.OBS: {
            name: torch.as_tensor(np.stack([each[name] for each in seen[:decisions]])) for name in seen[0]
        }
    }


@pytest.mark.parametrize("name", GAMES)
def test_a_saved_module_plays_as_the_module_does(name: str, tmp_path: Path) -> None:
    game = polytrix.find(name)
    module, batch = module_of(network((32, 16)), game), batch_of(game, 30)
    with torch.no_grad():
        module.policy.weight.mul_(100)
        logits = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS].numpy()
        trained = module.forward_train(batch)
    seen = {name: each.numpy() for name, each in batch[Columns.OBS].items()}
    file = save_module(tmp_path / "policy.npz", module, game, {"by": "test"})
    loaded = load(file, game)
    assert isinstance(loaded, NetworkPolicy) and loaded.notes == {"by": "test"}
    legal = seen[ACTION_MASK] != 0
    assert loaded.logits(seen[OBSERVATIONS])[legal] == pytest.approx(logits[legal], abs=1e-4)
    assert (logits[~legal] < -1e38).all()
    assert np.array_equal(trained[Columns.ACTION_DIST_INPUTS].detach().numpy(), logits)
    best = policy_of(module, game, deterministic=True)
    actions = best(seen[OBSERVATIONS], seen[ACTION_MASK], np.random.default_rng(0))
    assert np.array_equal(actions, logits.argmax(axis=1))


def test_policies_of_this_package_as_modules(tmp_path: Path) -> None:
    game = polytrix.find("quatrix")
    batch = batch_of(game, 20)
    saved = save_module(tmp_path / "policy.npz", module_of(network((8,)), game), game)
    for spec in ("random", "greedy", str(saved)):
        actions = module_of(player("quatrix", spec), game).forward_exploration(batch)[Columns.ACTIONS]
        assert batch[Columns.OBS][ACTION_MASK].numpy()[np.arange(20), actions].all()
    with pytest.raises(PolicyError, match="looks ahead"):
        module_of(player(game, "search:10"), game)
    with pytest.raises(PolicyError, match="policies_to_train"):
        module_of(player(game, "random"), game).forward_train(batch)


@pytest.mark.slow
@pytest.mark.usefixtures("_ray")
@pytest.mark.parametrize("kind", [PPOConfig, BatchPPOConfig])
def test_training_changes_the_learner_alone(kind: type[PPOConfig]) -> None:
    game = polytrix.find("pressure_matrix")
    config = self_play(kind(), game, layers=(16,), opponents={"random": 0.3}, share_past=0.3, **SHORT)
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=8, rollout_fragment_length=40)
    config.training(train_batch_size_per_learner=320, minibatch_size=100, num_epochs=2, use_kl_loss=False)
    algorithm = config.debugging(seed=1, log_level="ERROR").build_algo()
    try:
        modules = (LEARNER, past(0))
        before = {name: layers_of(algorithm.get_module(name))[0][0].copy() for name in modules}
        games: Counter[str] = Counter()
        steps = 0
        for _ in range(3):
            result = algorithm.train()
            steps += decisions(result)
            for opponent, tally in tallies(result).items():
                assert 0 <= tally["won"] <= tally["games"]
                games[opponent] += int(tally["games"])
        assert games.keys() == {"random", past(0)} and 960 / 2 < steps < 960
        after = {name: layers_of(algorithm.get_module(name))[0][0] for name in modules}
        assert not np.array_equal(before[LEARNER], after[LEARNER])
        assert np.array_equal(before[past(0)], after[past(0)])
    finally:
        algorithm.stop()


# -- the example ------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_example() -> None:
    assert "decisions" in run(sys.executable, "examples/rllib_quatrix.py", cwd=ROOT, timeout=900).stdout
