"""The study of common wrappers: their errors, and a short run of all arms."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("tyro")
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "studies"))

import wrong_wrapper
from wrong_wrapper import ARMS, LastStream, OneStream, main, per_seat, read_settings

from polytrix.agents import resolve
from polytrix.agents.policy import ask

SETTINGS = replace(read_settings(["quatrix"]), shaping=0.0, num_envs=8, options={"max_decisions": 1000})


def greedy_move(env: OneStream) -> int:
    """A move of the greedy opponent, so that games come to an end."""
    seen = env.env.observe(env.env.agent_selection)
    greedy = resolve("greedy", wrong_wrapper.GAME)
    return int(ask(greedy, seen["observation"][None], seen["action_mask"][None], np.random.default_rng(0))[0])


def test_the_usual_wrapper_never_tells_of_a_loss_and_shows_the_other_side() -> None:
    env = OneStream(SETTINGS)
    env.reset(seed=2)
    rewards, changes, over = [], 0, False
    while not over:
        mover = env.env.agent_selection
        following, reward, over, _, _ = env.step(greedy_move(env))
        rewards.append(reward)
        if not over and env.env.agent_selection != mover:
            changes += 1
            assert not (following == env.env.observe(mover)["observation"]).all()
    assert changes > 20
    assert rewards[-1] == 1 and set(rewards[:-1]) == {0}
    assert sorted(env.env.rewards.values()) == [-1, 1]


def test_after_last_a_winner_of_the_second_seat_hears_that_it_lost() -> None:
    env = LastStream(SETTINGS)
    heard = {}
    for seed in range(20):
        env.reset(seed=seed)
        over = False
        while not over:
            mover = env.env.agent_selection
            _, reward, over, _, _ = env.step(greedy_move(env))
        assert env.env.rewards[mover] == 1
        heard[mover] = reward
    assert heard == {"player_0": 1, "player_1": -1}


def test_per_seat_a_loser_hears_of_it() -> None:
    env = per_seat(SETTINGS)
    env.set_opponents(["greedy"])
    env.seed(3)
    env.reset()
    rng, ends = np.random.default_rng(0), []
    for _ in range(400):
        masks = np.stack(env.env_method("action_masks"))
        _, rewards, dones, _ = env.step((masks * rng.random(masks.shape)).argmax(axis=1))
        ends += rewards[dones].tolist()
    env.close()
    assert ends and set(ends) == {-1}


def test_all_arms_learn_and_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny = {"num_envs": 8, "num_steps": 16, "batch_size": 64, "options": {"max_decisions": 60}}
    monkeypatch.setattr(wrong_wrapper, "read_settings", lambda names: replace(read_settings(names), **tiny))
    out = tmp_path / "report.json"
    short = "--opening 128 --decisions 256 --points 2 --point-games 4 --games 6 --out"
    main([*short.split(), str(out)])
    report = json.loads(out.read_text())
    assert [run["arm"] for run in report["runs"]] == list(ARMS)
    for run in report["runs"]:
        assert run["decisions"] == 256
        assert [point["decisions"] for point in run["curve"]] == [0, 128, 256]
        assert run["results"]["greedy"]["games"] == 6
    assert [result["games"] for result in report["per_seat_against"][0].values()] == [6, 6]
    assert out.with_suffix(".png").stat().st_size > 1000
