"""Evaluation and training at tables of two to four players."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from polytrix.agents import HeuristicPolicy, RandomPolicy, load
from polytrix.core.state import FloatArray, Record
from polytrix.training import sb3_ppo
from polytrix.training.shared.evaluation import evaluate
from polytrix.training.shared.reports import play_command, run_name
from polytrix.training.shared.scripts import ScriptRun
from tests.high import HIGH
from tests.stones import BIG, LIGHTS, MANY, STONES

pytestmark = pytest.mark.usefixtures("known_toys")

SMALL = [
    "--total-steps", "64", "--num-envs", "4", "--num-steps", "16", "--batch-size", "32", "--layers", "8",
    "--final-games", "4",
]  # fmt: skip


# -- evaluation ---------------------------------------------------------------------------


def first_wins(s: Record, out: FloatArray) -> None:
    out[0] = 2.0
    out[1] = out[2] = -1.0


def test_every_seat_has_equally_many_games() -> None:
    """Here the first one always wins."""
    game = replace(HIGH, name="high_first", payoff=first_wins)
    result = evaluate(game, RandomPolicy(game), "random", 10, {"players": 3})
    assert (result.players, result.games, result.wins, result.losses) == (3, 12, 4, 8)
    assert result.payoff == 0
    assert [evaluate(HIGH, RandomPolicy(HIGH), "random", 10, {"players": n}).games for n in (2, 3, 4)] == [
        10,
        12,
        12,
    ]


def test_equals_win_their_fair_share() -> None:
    result = evaluate(HIGH, RandomPolicy(HIGH), "random", 1600, {"players": 4})
    assert abs(result.rate - 0.25) < 0.04
    least, most = result.payoff_interval
    assert least < 0 < most


def test_shared_wins_are_counted_in_parts() -> None:
    result = evaluate(HIGH, HeuristicPolicy(HIGH), "greedy", 400, {"players": 4})
    assert result.wins != int(result.wins)
    assert result.wins + result.losses <= result.games


# -- training -----------------------------------------------------------------------------


@pytest.mark.usefixtures("in_plain_python")
def test_training_at_a_table_of_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["sb3_ppo.py", "high", *SMALL, "--options.players", "3"])
    sb3_ppo.main()
    folder = Path("runs/high-players3")
    record = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert record["players"] == 3 and record["settings"]["options"]["players"] == 3
    assert [(r["opponent"], r["players"], r["games"]) for r in record["results"]] == [
        ("random", 3, 6),
        ("greedy", 3, 6),
    ]
    for r in record["results"]:
        assert r["interval"][0] <= r["rate"] <= r["interval"][1]
        assert r["payoff_interval"][0] <= r["payoff"] <= r["payoff_interval"][1]
    card = (folder / "card.md").read_text(encoding="utf-8")
    assert "# polytrix/high-v0, 3 players: PPO baseline" in card
    assert "A fair share is 33.3%" in card
    assert "polytrix play polytrix/high-v0 --opponent policy.npz -o players=3`" in card
    assert load(folder / "policy.npz", HIGH).layers[0][0].shape == (HIGH.observations.size, 8)
    with ScriptRun(sb3_ppo.read_settings(sys.argv[1:]), "sb3_ppo.py") as continued:
        assert continued.used.decisions == 64 and continued.players == 3
        assert {name: list(each) for name, each in continued.clock.seconds_of.items()} == record["seconds_of"]


def test_runs_are_named_after_game_and_unusual_number_of_players() -> None:
    names = [run_name(HIGH, {"players": players}) for players in (2, 3, 4)]
    assert names == ["high", "high-players3", "high-players4"]
    assert (
        play_command("high", "x.npz", {"players": 2, "turning": True}) == "polytrix play high --opponent x.npz"
    )


@pytest.mark.usefixtures("in_plain_python")
def test_training_with_own_data_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in (("steps", BIG), ("prizes", MANY)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    own = [f"--options.{name}={tmp_path / name}.json" for name in ("steps", "prizes")]
    changed = STONES.with_data(steps=BIG, prizes=MANY)
    monkeypatch.setattr("sys.argv", ["sb3_ppo.py", "stones", "--out", str(tmp_path / "run"), *SMALL, *own])
    sb3_ppo.main()
    assert json.loads((tmp_path / "run" / "result.json").read_text())["steps"] == 64
    assert load(tmp_path / "run" / "policy.npz", changed).layers[0][0].shape == (LIGHTS + 4, 8)
