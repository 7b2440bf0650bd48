"""`benchmarks/throughput/training.py` measures what it says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "throughput"))

import training


def test_runs_take_turns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    receipt = tmp_path / "receipt.json"
    training.main(
        training.Arguments(
            "quatrix", threads=(1, 2), layers=("8x8",), num_envs=8, batch_size=64, turns=2, json=receipt
        )
    )
    written = json.loads(receipt.read_text(encoding="utf-8"))
    one, two = written["runs"]
    assert (one["threads"], two["threads"]) == (1, 2) and one["times_the_first"] == 1
    for run in (one, two):
        assert run["from"] <= run["per_second"] <= run["to"]
        assert sum(run["shares"].values()) == pytest.approx(1)
        # forwards in play, forwards and twice as much backwards in each of two epochs
        assert run["hidden_layers_gflops"] * 1e9 == pytest.approx(run["per_second"] * 2 * 8 * 8 * 7)
    assert "| 8x8" in capsys.readouterr().out
