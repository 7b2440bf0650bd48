"""`polytrix dataset`: games are kept, more are added, and they are expanded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from polytrix.dataset import read

from .running import refused, run

SHORT = ("-o", "max_decisions=12")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    run("dataset", "make", "quatrix", "random", *SHORT, "--games", 21, "--out", path)
    return path


def test_games_are_rounded_up_and_added(file: Path) -> None:
    assert len(read(file).games) == 40
    before = file.read_bytes()
    told = run("dataset", "make", "quatrix", "random", *SHORT, "--games", 60, "--out", file).stdout
    assert told.startswith("60 games: ") and file.read_bytes().startswith(before)
    games = read(file).games
    assert len({game.seed for game in games}) == 60


def test_arrays_are_written(file: Path, tmp_path: Path) -> None:
    run("dataset", "export", file, "--numpy", tmp_path / "arrays")
    games = read(file).games
    assert np.load(tmp_path / "arrays" / "action.npy").tolist() == [a for game in games for a in game.actions]


def test_what_is_missing_or_wrong_is_said(file: Path, tmp_path: Path) -> None:
    for formats in ((), ("--numpy", tmp_path / "one", "--parquet", tmp_path / "other")):
        assert "say what to write: one of" in refused("dataset", "export", file, *formats)
    assert "--out" in refused("dataset", "make", "quatrix", "random")
    assert "another seed" in refused("dataset", "make", "quatrix", "random", *SHORT, "--seed", 1, "--out", file)
    (tmp_path / "no.jsonl").write_text("no games\n", encoding="utf-8")
    assert "line 1 is damaged" in refused("dataset", "export", tmp_path / "no.jsonl", "--numpy", tmp_path / "x")
