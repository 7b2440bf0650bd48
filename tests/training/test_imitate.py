"""Imitation: what is learned are the choices in the games, and the network goes on with PPO."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import polytrix
from polytrix.agents import NetworkPolicy, load
from polytrix.dataset import expand, read
from polytrix.training import fast_ppo, imitate
from polytrix.training.imitate import HELD_OUT, Learner, Settings, source
from tests.dataset.making import played
from tests.training.learners import learner_of, restored

GAME = polytrix.find("resistor")
OPTIONS = GAME.options.validate({"max_decisions": 60})


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    return played(path, GAME, ("greedy",), 40, max_decisions=60)


def settings(file: Path) -> Settings:
    return Settings(
        "resistor", data=str(file), layers=(16,), batch_size=16, window=600, threads=2, final_games=2,
        minutes=1e9, cpu_minutes=0, total_steps=2000, options={"max_decisions": 60},
    )  # fmt: skip


def test_lessons_are_the_decisions_with_a_choice(file: Path) -> None:
    games = read(file)
    (part,) = expand(games, [3, 5])
    (lessons,) = source(str(file), GAME, OPTIONS).decisions(np.array([3, 5]))
    free = part.action_mask.sum(1) > 1
    assert 10 < free.sum() < len(free)
    assert np.array_equal(lessons.observation, part.observation[free])
    for row, (mask, action, seat, game) in enumerate(
        zip(part.action_mask[free], part.action[free], part.seat[free], part.game[free], strict=True)
    ):
        legal = lessons.legal[row, : lessons.num_legal[row]]
        assert legal.tolist() == np.flatnonzero(mask).tolist()
        assert lessons.policy[row].sum() == 1 and legal[lessons.policy[row].argmax()] == action
        assert lessons.target[row].tolist() == [part.payoffs[game, seat], part.payoffs[game, 1 - seat]]


def test_whole_deals_are_held_out(file: Path) -> None:
    games, learner = read(file), learner_of(Learner, settings(file))
    held = [number for number, game in enumerate(games.games) if game.seed % HELD_OUT == 0]
    assert len(held) == 4
    expected = next(source(str(file), GAME, OPTIONS).decisions(np.array(held)))
    assert np.array_equal(learner.held_out.observation, expected.observation)


def test_it_learns_and_goes_on(file: Path, tmp_path: Path) -> None:
    learner = learner_of(Learner, settings(file))
    before = learner.measured(learner.policy())
    for number in range(10):
        learner.iterate(number / 10)
    after = learner.measured(learner.policy())
    assert after["agreement"] > before["agreement"] + 0.1
    again = restored(learner_of(Learner, settings(file)), learner.state(), tmp_path)
    assert torch.equal(again.network.vector, learner.network.vector) and again.decisions == learner.decisions
    again.iterate(0.5)


def test_a_run_leaves_a_network_with_which_ppo_goes_on(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = ["resistor", "--options.max-decisions", "60", "--final-games", "2", "--threads", "1"]
    own = ["--data", str(file), "--layers", "16", "--cpu-minutes", "0", "--total-steps", "300"]
    monkeypatch.setattr(sys, "argv", ["imitate.py", *small, *own, "--out", str(tmp_path / "clone")])
    imitate.main()
    record = json.loads((tmp_path / "clone" / "result.json").read_text(encoding="utf-8"))
    assert record["curve"][-1]["agreement"] > 0 and "held-out choices" in record["agreement"][0]
    assert "imitation baseline" in (tmp_path / "clone" / "card.md").read_text(encoding="utf-8")
    clone = tmp_path / "clone" / "policy.npz"
    found = load(clone, GAME)
    assert isinstance(found, NetworkPolicy) and found.values is not None
    more = ["--network", str(clone), "--total-steps", "200", "--num-envs", "4", "--batch-size", "16"]
    monkeypatch.setattr(sys, "argv", ["fast_ppo.py", *small, *more, "--out", str(tmp_path / "ppo")])
    fast_ppo.main()
    assert (tmp_path / "ppo" / "policy.npz").is_file()


@pytest.mark.parametrize(
    ("data", "options", "problem"),
    [
        ("nothing.jsonl", OPTIONS, "nothing.jsonl"),
        ("", OPTIONS, "data is"),
        (None, {**OPTIONS, "max_decisions": 61}, "asked for"),
    ],
)
def test_other_games_are_refused(
    data: str | None, options: dict[str, object], problem: str, file: Path
) -> None:
    with pytest.raises((SystemExit, polytrix.core.errors.PolytrixError), match=problem):
        source(str(file) if data is None else data, GAME, options)
