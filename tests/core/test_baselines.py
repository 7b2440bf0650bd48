"""The released networks and the training scripts are found, in the package or in its clone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import polytrix
from polytrix.core import baselines
from tests.pages import ROOT
from tests.toys import SECRET


def test_every_game_has_one() -> None:
    for game in polytrix.all_games():
        first = polytrix.baselines(game)[0]
        assert (first.name, first.game) == ("ppo", game.id)
        assert first.players == game.num_players(game.options.defaults)
    assert sum(one.algorithm == "ppo" for one in polytrix.baselines()) == 6


def test_names_tell_numbers_of_players_that_are_not_the_default() -> None:
    two, four = (one for one in polytrix.baselines("pressure_matrix") if one.algorithm == "ppo")
    assert (two.name, two.players, two.options) == ("ppo", 2, {})
    assert (four.name, four.players, four.options) == ("ppo-players4", 4, {"players": 4})


def test_figures_are_those_of_the_card() -> None:
    network = polytrix.baselines("quatrix")[0]
    assert network.path == ROOT / "checkpoints" / "quatrix-v0" / "policy.npz"
    record = json.loads(network.path.with_name("result.json").read_text(encoding="utf-8"))
    random, greedy = record["results"]
    assert f"| greedy | {greedy['games']} | {greedy['wins']:g} | {greedy['losses']} |" in network.card
    assert network.won["greedy"] == greedy["wins"] / greedy["games"] > 0.8
    assert network.payoff == {"random": random["payoff"], "greedy": greedy["payoff"]}
    assert f"{network.steps:,} decisions" in network.card and network.steps == record["steps"] > 1e6
    assert network.minutes == round(record["training_seconds"] / 60, 1)


def test_a_game_without_networks_has_none() -> None:
    assert polytrix.baselines(SECRET) == ()


def test_another_version_of_a_game_has_networks_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("quatrix-v0", "quatrix-v00", "quatrix-v0-players3", "quatrix-v0-unfinished", "quatrix"):
        (tmp_path / name).mkdir()
        if "unfinished" not in name:
            (tmp_path / name / "policy.npz").touch()
    monkeypatch.setattr(baselines, "CHECKPOINTS", tmp_path)
    assert list(baselines.baseline_files(polytrix.find("quatrix"))) == ["ppo", "ppo-players3"]


def test_each_number_of_players_may_have_a_network_of_each_algorithm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {
        "ppo": "quatrix-v0",
        "expert": "quatrix-v0-expert",
        "ppo-players3": "quatrix-v0-players3",
        "expert-players3": "quatrix-v0-players3-expert",
        "expert-players4": "quatrix-v0-players4-expert",
    }
    for folder in reversed(folders.values()):
        shutil.copytree(ROOT / "checkpoints" / "quatrix-v0", tmp_path / folder)
    monkeypatch.setattr(baselines, "CHECKPOINTS", tmp_path)
    found = polytrix.baselines("quatrix")
    assert [one.name for one in found] == list(folders)
    assert [one.path.parent.name for one in found] == list(folders.values())
    assert [one.algorithm for one in found] == ["ppo", "expert", "ppo", "expert", "expert"]


def test_a_record_of_other_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "quatrix-v0"
    shutil.copytree(ROOT / "checkpoints" / "quatrix-v0", folder)
    record = json.loads((folder / "result.json").read_text())
    record["settings"]["options"] = {"finish_depth": 3, "scoring": "win"}
    (folder / "result.json").write_text(json.dumps(record))
    monkeypatch.setattr(baselines, "CHECKPOINTS", tmp_path)
    assert polytrix.baselines("quatrix")[0].options == {"finish_depth": 3}
