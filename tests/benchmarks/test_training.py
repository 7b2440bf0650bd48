"""`benchmarks/throughput/training.py` measures what it says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.pages import ROOT

pytest.importorskip("torch", reason="training needs the extra 'train'")

sys.path.insert(0, str(ROOT / "benchmarks" / "throughput"))

import training


def test_runs_take_turns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    receipt = tmp_path / "receipt.json"
    small = ("--num-envs", "8", "--batch-size", "64")
    training.main(training.Arguments("quatrix", threads=(1, 2), sizes=(8,), turns=2, json=receipt), small)
    written = json.loads(receipt.read_text(encoding="utf-8"))
    one, two = written["runs"]
    assert (one["threads"], two["threads"]) == (1, 2) and one["times_the_first"] == 1
    for run in (one, two):
        assert 0 < run["from"] <= run["per_second"] <= run["to"]
        assert sum(run["shares"].values()) == pytest.approx(1)
    shown = capsys.readouterr().out
    assert all(f"| 8 x 8 | {threads} | " in shown for threads in (1, 2)) and "Quatrix, on cpu" in shown
