"""The time measurement of a run, and the table of speeds."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from rich.console import Console

pytest.importorskip("torch", reason="training needs the extra 'train'")


from polytrix.training import speed
from polytrix.training.shared import runs


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Wall seconds, to be set; CPU seconds are twice as many."""
    seconds = [100.0]
    monkeypatch.setattr(runs.time, "perf_counter", lambda: seconds[0])
    monkeypatch.setattr(runs.time, "process_time", lambda: 2 * seconds[0])
    return seconds


def test_time_of_a_block_inside_is_not_that_of_the_outer_one(now: list[float]) -> None:
    clock = runs.Clock()
    for _ in range(2):
        with clock("inference"):
            now[0] += 3
            with clock("environment"):
                now[0] += 5
            now[0] += 1
        now[0] += 50  # outside of all blocks
    assert clock.seconds_of == {"inference": (8, 16), "environment": (10, 20)}


def test_a_block_that_fails_is_counted_and_closed(now: list[float]) -> None:
    clock = runs.Clock()
    with contextlib.suppress(KeyError), clock("learning"):
        now[0] += 3
        raise KeyError
    now[0] += 50
    with clock("environment"):
        now[0] += 1
    assert clock.seconds_of == {"learning": (3, 6), "environment": (1, 2)}


def test_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Shares are of CPU time, the rate is per wall time."""
    record = {"command": "python training/sb3_ppo.py high --out x", "steps": 5000, "training_seconds": 2.0}
    measured = {"seconds_of": {"environment": (9, 1), "inference": (0, 1), "learning": (1, 2)}}
    for name, own in (("old", record), ("new", record | measured)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "result.json").write_text(json.dumps(own))
    Console(width=160).print(speed.table_of([tmp_path / "old", tmp_path / "new"]))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()]
    assert ["old", "sb3_ppo.py", "5,000", "2,500", "-", "-", "-"] in rows
    assert ["new", "sb3_ppo.py", "5,000", "2,500", "25%", "25%", "50%"] in rows


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"holds no result\.json: give the folders of finished runs"):
        speed.table_of([tmp_path])
