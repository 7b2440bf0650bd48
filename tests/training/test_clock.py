"""The time measurement of a run."""

from __future__ import annotations

import contextlib

import pytest

pytest.importorskip("torch", reason="training needs the extra 'train'")


from polytrix.training.shared import runs
from polytrix.training.shared.reports import shares_of_time


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


def test_shares_are_of_cpu_time() -> None:
    measured = {"environment": (9.0, 1.0), "inference": (0.0, 1.0), "learning": (1.0, 2.0)}
    assert shares_of_time(measured) == {"environment": 0.25, "inference": 0.25, "learning": 0.5}
