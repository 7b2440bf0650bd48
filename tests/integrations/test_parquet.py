"""Parquet files of data sets have a row for each decision."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="needs the extra parquet: make test-integrations")

import pyarrow.parquet

import polytrix
from polytrix.dataset import expand, read
from polytrix.dataset.exports import to_parquet
from tests.dataset.making import played

GAME = polytrix.find("resistor")


def test_rows_are_decisions(tmp_path: Path) -> None:
    games = read(played(tmp_path / "games.jsonl", GAME, ("greedy", "random"), max_decisions=40))
    to_parquet(games, tmp_path / "table")
    card = (tmp_path / "table" / "README.md").read_text(encoding="utf-8")
    (files,) = re.findall(r"data_files: (\S+)", card)
    (file,) = (tmp_path / "table").glob(files)
    table = pyarrow.parquet.read_table(file)
    (part,) = expand(games)
    for name in ("game", "seat", "action"):
        assert np.array_equal(table[name].to_numpy(), getattr(part, name))
    for name in ("observation", "action_mask"):
        assert np.array_equal(np.stack(table[name].to_numpy()), getattr(part, name))
    for row in (0, len(part.action) - 1):
        game = games.games[part.game[row]]
        assert table["seed"][row].as_py() == game.seed
        assert table["agent"][row].as_py() == game.agents[part.seat[row]]
        assert table["payoffs"][row].as_py() == game.payoffs.tolist()
        assert table["truncated"][row].as_py() == part.truncated[part.game[row]]
