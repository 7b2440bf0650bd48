"""RLlib: runners that play many games at once, against what single games say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")

import torch
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.policy.sample_batch import MultiAgentBatch
from ray.rllib.utils.metrics import ENV_RUNNER_RESULTS
from ray.rllib.utils.torch_utils import convert_to_torch_tensor

import polytrix
from polytrix.api.rllib.batch import BatchEnvRunner, BatchPPOConfig, train_batch
from polytrix.api.rllib.env import ACTION_MASK, OBSERVATIONS
from polytrix.api.rllib.league import LEARNER, past, self_play, tallies
from polytrix.api.rllib.learner import THREADS, BatchPPOLearner, compiled_gradients, gradients_by_pytorch
from polytrix.api.rllib.modules import LEGAL_ACTIONS, network, save_module
from polytrix.api.rllib.rollout import NOTHING, Games
from polytrix.core.drivers import EXTERNAL, RANDOM
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.learning import passes, sparse
from polytrix.learning.ppo_loss import Weights
from tests.every_game import GAMES
from tests.integrations.test_rllib import module_of

GAMMA = 0.5


class Watched(Games):
    """Writes down what modules were shown and chose, and who won.

    A decision is known by its number, which takes the place of the log-probability.
    """

    def __init__(self, game: Game, options: dict[str, Any], rows: int, steps: int, shaping: float) -> None:
        super().__init__(game, options, rows, steps, 5, LEARNER, shaping, GAMMA)
        self.rng = np.random.default_rng(0)
        self.seen: list[Any] = []
        self.begun: list[list[int]] = [[] for _ in range(rows)]
        self.potential: list[float] = []
        self.after: dict[int, int] = {}
        self.paid: dict[int, float] = {}
        self.results: Counter[tuple[str, str]] = Counter()
        self.begin(np.arange(rows), self.line_up, self.kind_of)

    def line_up(self, agent: str, opening: Any) -> str:
        """A third of the games each: the learner alone, against the built-in policy, against another module."""
        kind, seat = int(opening.id_[:8], 16) % 3, int(opening.id_[8:16], 16) % self.players
        return LEARNER if kind == 0 or agent == f"player_{seat}" else ("random", "other")[kind - 1]

    def kind_of(self, name: str) -> int:
        return RANDOM if name == "random" else EXTERNAL

    def choose(self, name: str, rows: Any, out: passes.Records) -> Any:
        simulator = self.simulator
        place = self.rng.integers(0, simulator.num_legal[rows])
        if name == LEARNER:
            self.see(rows, out)
            out.place[:], out.log_probability[:], out.value[:] = place, len(self.seen) + np.arange(len(rows)), 0
            potential = simulator.potential()
            for row, index in zip(rows.tolist(), place, strict=True):
                mover, number = int(simulator.mover[row]), len(self.seen)
                if before := [each for each in self.begun[row] if self.seen[each][0] == mover]:
                    self.after[before[-1]] = number
                self.begun[row].append(number)
                legal = np.flatnonzero(simulator.mask[row])
                self.seen.append((mover, simulator.observation[row].copy(), legal, int(index)))
                self.potential.append(float(potential[row, mover]))
        return simulator.legal_ids[rows, place]

    def play(self) -> None:
        over = self.step(self.choose)
        for row in over:
            payoffs, modules = self.simulator.reward[row], [self.modules[n] for n in self.player[row]]
            self.paid |= {number: float(payoffs[self.seen[number][0]]) for number in self.begun[row]}
            self.begun[row] = []
            for other in set(modules) - {LEARNER}:
                best = payoffs[: self.players].max()
                winners = np.flatnonzero(payoffs[: self.players] == best)
                seat = modules.index(LEARNER)
                self.results[other, "games"] += 1
                self.results[other, "won"] += (best > 0 and seat in winners) / len(winners)  # type: ignore[assignment]
        self.begin(over, self.line_up, self.kind_of)


@pytest.mark.parametrize("name", GAMES)
def test_rewards_are_payoffs_and_differences_of_the_potential(name: str) -> None:
    """Without values and look ahead, a decision is worth its reward until the seat's next one."""
    game = polytrix.find(name)
    games = Watched(game, {"max_decisions": 50}, rows=20, steps=60, shaping=0.25)
    for _ in range(60):
        games.play()
    taken = games.take(0.9, 0.0)
    numbers = taken["log_probability"].astype(int).tolist()
    rewards = []
    for number in numbers:
        after = games.after.get(number)
        reward = games.paid[number] if after is None else 0.25 * GAMMA * games.potential[after]
        rewards.append(reward - 0.25 * games.potential[number])
    assert taken["target"] == pytest.approx(rewards, abs=1e-6)
    assert len({*numbers} & games.after.keys()) > 100 and len({*numbers} - games.after.keys()) > 20


@pytest.mark.parametrize("name", GAMES)
def test_rollouts_hold_what_single_games_say(name: str) -> None:
    """Without discount and values, a decision is worth its payoff if its game has ended, else 0 so far."""
    game = polytrix.find(name)
    options = {"max_decisions": 50} | ({"players": game.max_players} if game.max_players > 2 else {})
    games = Watched(game, options, rows=20, steps=30, shaping=0.0)
    taken_numbers: list[int] = []
    for _ in range(5):
        for _ in range(30):
            games.play()
        taken = games.take(1.0, 1.0)
        numbers = taken["log_probability"].astype(int).tolist()
        assert taken["target"] == pytest.approx([games.paid.get(number, 0.0) for number in numbers])
        for row, number in enumerate(numbers):
            _, observation, legal, place = games.seen[number]
            assert np.array_equal(taken["observation"][row], observation)
            listed = taken["legal"][row]
            assert np.array_equal(listed[: len(legal)], legal) and (listed[len(legal) :] == NOTHING).all()
            assert taken["place"][row] == place
        taken_numbers += numbers
    waiting = games.decisions.size  # the last one of each seat in a game that goes on
    assert len(set(taken_numbers)) == len(taken_numbers) == len(games.seen) - waiting
    assert 0 < waiting <= games.open.size
    tallies = {(other, what): count for other, tally in games.tally.items() for what, count in tally.items()}
    assert games.results.keys() >= {("random", "games"), ("other", "games")}
    assert {key: count for key, count in tallies.items() if count} == pytest.approx(
        {key: count for key, count in games.results.items() if count}
    )


@pytest.mark.parametrize("name", GAMES)
def test_logits_of_listed_actions_are_those_of_the_mask(name: str) -> None:
    game = polytrix.find(name)
    simulator = Simulator(game, 64, seed=3)
    module = module_of(network((16,)), game)
    with torch.no_grad():
        module.policy.weight.mul_(100)
    for _ in range(20):
        simulator.step(simulator.random_actions())
        simulator.restart(np.flatnonzero(simulator.over))
        count, ids = simulator.num_legal, simulator.legal_ids
        listed = np.where(np.arange(ids.shape[1]) < count[:, None], ids, NOTHING)
        seen = {OBSERVATIONS: torch.from_numpy(simulator.observation.copy())}
        masked = seen | {ACTION_MASK: torch.from_numpy(simulator.mask.copy())}
        short = seen | {LEGAL_ACTIONS: torch.from_numpy(listed)}
        with torch.no_grad():
            whole = module.forward_train({Columns.OBS: masked})[Columns.ACTION_DIST_INPUTS].numpy()
            part = module.forward_train({Columns.OBS: short})[Columns.ACTION_DIST_INPUTS].numpy()
        assert part.shape == (64, ids.shape[1])
        for row in range(64):  # the same sums in another order
            logits = part[row, : count[row]]
            assert logits == pytest.approx(whole[row, ids[row, : count[row]]], rel=1e-5, abs=1e-4)
            assert (part[row, count[row] :] == np.float32(sparse.ILLEGAL)).all()


def runner_of(index: int = 1, **settings: Any) -> BatchEnvRunner:
    config = self_play(BatchPPOConfig(), "pressure_matrix", layers=(16,), max_decisions=60, **settings)
    config.env_runners(num_env_runners=0, num_envs_per_env_runner=16, rollout_fragment_length=40)
    config.training(train_batch_size_per_learner=640, minibatch_size=320).debugging(seed=4, log_level="ERROR")
    return BatchEnvRunner(config, worker_index=index)


def test_the_learner_finds_the_probabilities_of_the_runner() -> None:
    """What reaches the loss is what was played: no action is shifted, no observation exchanged."""
    runner = runner_of(share_past=0.3)
    rollouts = [runner.sample() for _ in range(3)]
    batch = train_batch(rollouts)
    assert len(batch) == sum(len(each["place"]) for each in rollouts) > 1000
    assert float(batch["advantages"].mean()) == pytest.approx(0, abs=1e-4)
    module = runner.module[LEARNER]
    given = {Columns.OBS: {name: torch.from_numpy(each) for name, each in batch[Columns.OBS].items()}}
    with torch.no_grad():
        logits = module._forward_train(given)[Columns.ACTION_DIST_INPUTS]
    chances = torch.log_softmax(logits, 1).gather(1, torch.from_numpy(batch[Columns.ACTIONS])[:, None])
    assert chances[:, 0].numpy() == pytest.approx(batch[Columns.ACTION_LOGP], abs=1e-4)


def learner_of(runner: BatchEnvRunner, threads: int = 1) -> BatchPPOLearner:
    """A learner with the weights of a runner."""
    config = runner.config.copy(copy_frozen=False).learners(learner_config_dict={THREADS: threads})
    config.training(entropy_coeff=0.1, vf_clip_param=0.3, grad_clip=0.5, lr=0.001)
    learner = config.build_learner(spaces=runner.get_spaces())
    learner.module[LEARNER].set_state(runner.module[LEARNER].get_state())
    return learner


def learned(learner: BatchPPOLearner, path: type, batch: Any, **settings: Any) -> tuple[Any, Any]:
    """Weights and metrics after an update by the code of `path`."""
    torch.manual_seed(7)
    given = MultiAgentBatch({LEARNER: batch}, env_steps=len(batch))
    metrics = path.update(learner, batch=given, timesteps={}, **settings)  # type: ignore[attr-defined]
    return learner.module[LEARNER].get_state(), {
        name: float(stats.peek()) for name, stats in metrics[LEARNER].items() if name in LOGGED
    }


LOGGED = {"total_loss", "policy_loss", "vf_loss", "vf_loss_unclipped", "vf_explained_var", "entropy"}


def test_the_learner_learns_what_rllibs_own_learns() -> None:
    """Three updates with the whole batch: the same weights and figures."""
    runner = runner_of(share_past=0.3)
    batch = train_batch([runner.sample() for _ in range(2)])
    whole = {"num_epochs": 1, "minibatch_size": len(batch)}
    ours, theirs = learner_of(runner), learner_of(runner)
    before = learner_of(runner).module[LEARNER].get_state()
    for _ in range(3):
        weights, figures = learned(ours, BatchPPOLearner, batch, **whole)
        expected, their_figures = learned(theirs, PPOTorchLearner, batch, **whole)
        assert figures.keys() == LOGGED
        assert figures == pytest.approx(their_figures, rel=1e-3, abs=1e-4)
    for name, weight in expected.items():
        assert weights[name] == pytest.approx(weight, abs=1e-4)
        assert name == "scale" or not np.array_equal(weight, before[name])
    assert ours.get_state()["weights_seq_no"] == theirs.get_state()["weights_seq_no"] == 3


def test_gradients_are_those_of_pytorch_and_of_the_layers_of_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    runner = runner_of(share_past=0.3)
    given = convert_to_torch_tensor(dict(train_batch([runner.sample()])))
    module, weights = runner.module[LEARNER].unwrapped(), Weights(0.2, 10.0, 0.5, 0.0, 0.1, False)
    parameters, chosen = list(module.parameters()), torch.randperm(len(given[Columns.ACTIONS]))[:100]
    found = []
    ways = (compiled_gradients, False), (gradients_by_pytorch, False), (gradients_by_pytorch, True)
    for gradients, dense in ways:
        monkeypatch.setattr(sparse, "computes_densely", lambda tensor, dense=dense: dense)
        gradient = gradients(module, parameters, given, weights)
        parts = [gradient(chosen, 3, shard) for shard in range(3)]
        found.append([sum(each) for each in zip(*parts, strict=True)])
    for others in found[1:]:
        for ours, theirs in zip(found[0], others, strict=True):
            assert torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5) and theirs.abs().max() > 0.01


def test_policies_of_all_kinds_play(tmp_path: Path) -> None:
    saved = save_module(tmp_path / "policy.npz", module_of(network((8,)), polytrix.find("pressure_matrix")),
                        polytrix.find("pressure_matrix"))  # fmt: skip
    runner = runner_of(opponents={"random": 0.2, "greedy": 0.2, str(saved): 0.2}, share_past=0.2)
    won: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for _ in range(6):
        runner.sample()
        for opponent, tally in tallies({ENV_RUNNER_RESULTS: runner.get_metrics()}).items():
            games[opponent] += int(tally["games"])
            won[opponent] += tally["won"]  # type: ignore[assignment]
    assert runner.games is not None
    kinds = dict(zip(runner.games.modules, runner.games.kinds, strict=True))
    (network_name,) = set(kinds) - {LEARNER, "random", "greedy", past(0)}
    assert kinds["random"] and kinds["greedy"] and not kinds[network_name] and not kinds[past(0)]
    assert games.keys() == kinds.keys() - {LEARNER} and min(games.values()) > 5
    assert won["greedy"] < 0.3 * games["greedy"] and won["random"] > won["greedy"]


def test_runners_have_games_of_their_own_and_seeds_repeat() -> None:
    first, again, other = (runner_of(index).sample()["observation"] for index in (1, 1, 2))
    assert np.array_equal(first, again) and not np.array_equal(first[:16], other[:16])


def test_what_it_cannot_do_is_refused() -> None:
    with pytest.raises(ValueError, match="takes none"):
        runner_of().sample(num_episodes=3)
    for setting, value in {"use_kl_loss": True, "use_critic": False}.items():
        with pytest.raises(ValueError, match=setting):
            self_play(BatchPPOConfig(), "quatrix").training(**{setting: value}).validate()
