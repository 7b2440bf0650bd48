"""Algorithms of the benchmark: each learns a toy, goes on after a kill, and computes what its paper says."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.high import HIGH
from tests.pages import ROOT

pytest.importorskip("torch", reason="training needs the extra 'train'")


import torch

import polytrix
from polytrix.agents import load
from polytrix.core.errors import MissingExtraError
from polytrix.core.game import Game
from polytrix.learning.advantages import END, OPEN
from polytrix.training import fast_ppo
from polytrix.training.algorithms import dmc, expert_iteration, fsp
from polytrix.training.algorithms.fsp import Reservoir
from polytrix.training.learner.network import Network
from polytrix.training.learner.rollout import LEARNER
from polytrix.training.shared.evaluation import evaluate
from polytrix.training.shared.runs import Budget
from polytrix.training.trials import runs as trial_runs
from polytrix.training.trials.trial import Trial

OPTIONS = {**HIGH.options.defaults}
IN_SELF_PLAY = ["ppo", "mmd", "nash_pg", "dmc", "fsp"]


@pytest.fixture(autouse=True)
def _small(register: Callable[[Game], Game], monkeypatch: pytest.MonkeyPatch) -> None:
    """The game High, and networks and numbers of games that are enough for it."""
    register(HIGH)
    small = {"num_envs": 128, "batch_size": 512, "layers": (32,), "learning_rate": 3e-3}
    for name, value in small.items():
        monkeypatch.setitem(trial_runs.SHARED, name, value)
    monkeypatch.setattr(fsp, "RESERVOIR", 20_000)


def trial_of(folder: Path, decisions: int, **settings: Any) -> Trial:
    return Trial(HIGH, OPTIONS, 3, Budget(decisions=decisions), folder, points=2, **settings)


def train(name: str, trial: Trial) -> None:
    importlib.import_module(f"polytrix.training.algorithms.{name}").train(trial)


class KilledError(Exception):
    """A trial has been killed."""


def begin_and_kill(name: str, trial: Trial, share: float) -> None:
    """Train until this share of the budget has been used, with a checkpoint after each iteration."""
    ask = trial.goes_on

    def killed(*arguments: Any) -> bool:
        if not ask(*arguments) or trial.done > share:
            raise KilledError
        return True

    trial.goes_on = killed  # type: ignore[assignment,method-assign]
    with pytest.raises(KilledError):
        train(name, trial)
    trial.close()


def weights(file: Path) -> np.ndarray[Any, Any]:
    return np.concatenate([each.ravel() for layer in load(file, HIGH).layers for each in layer])


@pytest.mark.parametrize(
    ("name", "decisions"),
    [*((name, 100_000) for name in (*IN_SELF_PLAY, "sb3")), ("expert_iteration", 20_000)],
)
def test_a_toy_is_learned_in_seconds(name: str, decisions: int, tmp_path: Path) -> None:
    trial = trial_of(tmp_path, decisions)
    train(name, trial)
    policy = load(trial.policy_file(2), HIGH, deterministic=True)
    assert evaluate(HIGH, policy, "random", 1000, OPTIONS).interval[0] > 0.6
    assert evaluate(HIGH, policy, "greedy", 1000, OPTIONS).interval[0] > 0.5


@pytest.mark.parametrize("name", [*IN_SELF_PLAY, "sb3"])
def test_a_killed_trial_goes_on_as_if_nothing_had_happened(name: str, tmp_path: Path) -> None:
    train(name, trial_of(tmp_path / "whole", 20_000))

    begin_and_kill(name, trial_of(tmp_path / "killed", 20_000, checkpoint_seconds=0.0), 0.3)
    again = trial_of(tmp_path / "killed", 20_000)
    assert again.saved is not None and 0.3 < again.done < 0.9
    train(name, again)
    one, other = (weights(tmp_path / each / "policy-02.npz") for each in ("whole", "killed"))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("share", [0.2, 0.7])
def test_expert_iteration_goes_on_in_either_part(share: float, tmp_path: Path) -> None:
    begin_and_kill("expert_iteration", trial_of(tmp_path, 20_000, checkpoint_seconds=0.0), share)
    again = trial_of(tmp_path, 20_000)
    assert again.saved is not None
    assert again.saved["searches"] == (share > expert_iteration.PPO)
    assert share < again.done < share + 0.3
    before = again.used.decisions
    train("expert_iteration", again)
    assert again.finished and again.used.decisions >= 20_000 > before


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_a_missing_library_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError, match=r"polytrix\[rllib\]"):
        train("rllib", trial_of(tmp_path, 1000))


# -- Deep Monte-Carlo ------------------------------------------------------------------------


def test_returns_are_sums_of_the_rewards_from_there_on() -> None:
    following = np.array([2, 3, END, 5, 6, OPEN, END])
    reward = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 9.0], np.float32)
    left, gained = dmc.returns(following, reward, 0.5)
    for i in range(len(following)):
        at, discount, total = i, 1.0, 0.0
        while at >= 0:
            total += discount * float(reward[at])
            if following[at] == OPEN:
                break
            at, discount = int(following[at]), 0.5 * discount
        assert gained[i] == total
        assert left[i] == (0.0 if at == END else discount)


def test_each_decision_is_learned_once_when_its_return_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many rollouts it waits. A return is the payoff of its game, as far as that counts."""
    learner = dmc.Learner(trial_of(tmp_path, 1000), num_envs=6, num_steps=2, gamma=0.5, shaping=0.0)
    samples = learner.games.samples
    with torch.no_grad():
        learner.network.policy.bias[0] = 8.0  # adds 1: games are long
    learned, early = 0, 0

    def fit(
        network: Network, optimizer: object, given: object, chosen: Any, gained: Any, *more: object
    ) -> float:
        nonlocal learned, early
        following = samples.next[: samples.size]
        left, _ = dmc.returns(following, samples.reward, 0.5)
        assert (left[chosen] < dmc.NEGLIGIBLE).all() and (gained[left[chosen] > 0] == 0).all()
        payoffs = np.abs(gained[left[chosen] == 0]) * learner.unit
        powers = np.log2(payoffs[payoffs > 0])
        assert np.allclose(powers, powers.round(), atol=1e-4) and (powers < 0.5).all()
        learned += len(chosen)
        early += int((left[chosen] > 0).sum())
        return 0.0

    monkeypatch.setattr(dmc, "fit", fit)
    for _ in range(83):
        learner.iterate(0.3)  # it explores no more
        following, opened = samples.next[: samples.size], learner.games.open
        assert np.array_equal(np.sort(opened[opened >= 0]), np.flatnonzero(following == OPEN))
    assert early > 50 and learned == learner.decisions - samples.size
    assert 6 * 2 < samples.size <= 6 * 2 * 7


def expected(cards: tuple[int, int], betting: str, seat: int) -> float:
    """What a seat of Kuhn poker gets after its decision, with these cards, if all play at random from then on.

    The betting is a word of calls, raises and folds. What follows the seat's next decision is discounted.
    """
    chips = {"cc": 1, "rc": 2, "crc": 2}
    if betting in chips:
        return chips[betting] * (1 if cards[seat] > cards[1 - seat] else -1)
    mover = len(betting) % 2
    if betting.endswith("f"):
        return 1 if mover == seat else -1
    following = [expected(cards, betting + act, seat) for act in ("cf" if "r" in betting else "cr")]
    return sum(following) / 2 * (dmc.GAMMA if mover == seat else 1.0)


def test_q_is_what_an_action_brings_on_average(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, register: Callable[[Game], Game]
) -> None:
    """In Kuhn poker with random seats, where it can be computed."""
    monkeypatch.syspath_prepend(ROOT / "examples")
    monkeypatch.setattr(polytrix, "register", lambda game: None)  # the example would stay after the test
    kuhn = register(importlib.import_module("poker.kuhn").GAME)
    monkeypatch.setattr(dmc, "EPSILON", 1.0)
    trial = Trial(kuhn, kuhn.options.defaults, 1, Budget(decisions=200_000), tmp_path, points=2)
    learner = dmc.Learner(trial, gamma=dmc.GAMMA)
    trial_runs.carry_out(trial, learner)
    network, samples = learner.network, learner.games.samples
    learner.games.play({LEARNER: network}, 20)
    situations = {samples.observation[row].numpy().tobytes(): row for row in range(samples.size)}
    assert len(situations) == 12
    for row in situations.values():
        seen = samples.observation[row].numpy()
        seat, card = int(seen[0] == 0), int(seen[1:4].argmax())
        betting = "".join("fcr"[int(act.argmax())] for act in seen[7:].reshape(-1, 3) if act.any())
        legal, count = samples.legal[row : row + 1], samples.count[row : row + 1]
        advantages, value = network(samples.observation[row : row + 1], legal, count)
        q = (value + advantages)[0].detach() * learner.unit
        for act, found in zip(legal[0, : int(count)], q, strict=False):
            others = [other for other in range(3) if other != card]
            hands = [(card, other) if seat == 0 else (other, card) for other in others]
            exact = np.mean([expected(each, betting + "fcr"[int(act)], seat) for each in hands])
            assert float(found) == pytest.approx(exact, abs=0.1)


# -- fictitious self-play ----------------------------------------------------------------------


def decisions(numbers: np.ndarray[Any, Any]) -> dict[str, torch.Tensor]:
    """Decisions whose index of the chosen action is their number."""
    count = len(numbers)
    return {
        "observation": torch.zeros((count, HIGH.observations.size), dtype=torch.int8),
        "legal": torch.zeros((count, HIGH.max_legal), dtype=torch.int16),
        "count": torch.ones(count, dtype=torch.int32),
        "place": torch.from_numpy(numbers),
    }


def test_a_reservoir_is_a_uniform_sample() -> None:
    size, parts, times = 20, (7, 30, 1, 62), 2000
    held = np.zeros(sum(parts))
    for seed in range(times):
        reservoir = Reservoir(HIGH, size, seed)
        first = 0
        for part in parts:
            reservoir.add(decisions(np.arange(first, first + part)))
            first += part
        inside = reservoir.decisions["place"].numpy()
        assert len(set(inside.tolist())) == size
        held[inside] += 1
    expected = times * size / sum(parts)
    deviation = np.sqrt(expected * (1 - size / sum(parts)))
    assert held.sum() == times * size
    assert np.abs(held - expected).max() < 4.5 * deviation


def test_the_average_plays_all_seats_but_one(tmp_path: Path) -> None:
    learner = fsp.Learner(trial_of(tmp_path, 10_000))
    for _ in range(3):
        learner.iterate(0.0)
    (rollout,) = learner.rollouts
    assert ((rollout.player[:, :2] == LEARNER).sum(1) == 1).all()
    assert ((rollout.player[:, :2] == fsp.AVERAGE).sum(1) == 1).all()
    assert learner.reservoir.added == learner.decisions - rollout.samples.size


def test_the_average_comes_to_play_the_mixture_of_what_it_imitates(tmp_path: Path) -> None:
    run = fsp.Learner(trial_of(tmp_path, 10_000))
    chosen = np.repeat([0, 1, 2], [100, 300, 600])
    given = decisions(chosen)
    given["legal"][:] = torch.arange(3)
    given["count"][:] = 3
    run.reservoir.add(given)
    for group in run.imitator.param_groups:
        group["lr"] = 0.01
    for _ in range(200):
        run.imitate()
    average: Network = run.average
    played = average.log_probabilities(given["observation"][:1], given["legal"][:1], given["count"][:1]).exp()
    assert played[0].numpy() == pytest.approx([0.1, 0.3, 0.6], abs=0.03)


def test_runs_play_the_game_of_the_trial_with_its_data_files(tmp_path: Path) -> None:
    usual = polytrix.find("resistor")
    micro, options = usual.configured(usual.variants["micro"])
    trial = Trial(micro, options, 1, Budget(decisions=1000), tmp_path)
    given = trial_runs.settings_for(trial, fast_ppo.Settings).options
    assert usual.configured(given) == (micro, options)
