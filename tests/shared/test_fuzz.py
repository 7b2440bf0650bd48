"""Fuzzing: some tries of each kind, and a run that reports planted faults.

A long run: `python -m tests.fuzz --tries 100000`.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.core.game import Game
from tests.fuzz import campaign
from tests.shared import planted_fuzz

PLANTED = "tests.shared.planted_fuzz"


FEWER = {"disk": 50, "shown": 30}
"""Number of tries in place of 100, of kinds that take their time."""
QUICK = {
    **dict.fromkeys(("searches", "cache", "checkpoints", "disk", "records"), ("quatrix",)),
    "data": ("resistor", "estimatrix", "pressure_matrix"),
}
"""Games with which CI tries a kind, if not with all: two more programs of each would be compiled for searches,
caches, checkpoints, disks and records hardly know a game, and two games have no data files."""


def samples() -> Iterator[Any]:
    """A small sample of each kind with each game."""
    for what, game in product(campaign.KINDS, polytrix.all_games()):
        tries = FEWER.get(what, 100)
        slow = () if game.name in QUICK.get(what, (game.name,)) else pytest.mark.slow
        yield pytest.param(tries, what, game, marks=slow, id=f"{tries}-{what}-{game.name}")


@pytest.mark.parametrize(("tries", "what", "game"), list(samples()))
def test_some_tries_of_each_kind(tries: int, what: str, game: Game, tmp_path: Path) -> None:
    attempt = campaign.prepared(what, game, tmp_path)
    outcomes = {campaign.outcome_of(attempt, [1, number]) for number in range(tries)}
    assert len(outcomes) > 1  # some are refused and some taken


def test_a_campaign_survives_crashes_hangs_and_errors_and_names_the_tries(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaign, "PATIENCE", 5.0)
    with pytest.raises(SystemExit, match="1"):
        campaign.main(["--what", PLANTED, "--game", "quatrix", "--tries", "20"])
    shown = capsys.readouterr()
    assert f"try {planted_fuzz.CRASH}: the process ended with code -11" in shown.out
    assert f"try {planted_fuzz.HANG}: no end after 5 s" in shown.out
    assert f"try {planted_fuzz.FAIL}: AssertionError: this must not happen (planted_fuzz.py:" in shown.out
    assert f"try {planted_fuzz.RAISE}: KeyError: 'nobody expects it'" in shown.out
    counts = re.search(r"even (\d+), odd (\d+), unreported (\d+)", shown.out)
    assert counts and sum(map(int, counts.groups())) == 16
    assert "of 20 tries" in shown.err


def of_some_size(megabytes: int, seconds: float) -> str:
    """A try that takes so much memory and CPU time."""
    taken = np.ones(megabytes * 1_000_000, np.uint8)
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return f"{len(taken)}"


@pytest.mark.parametrize(("megabytes", "seconds"), [(campaign.MOST_MEMORY + 50, 0.0), (1, 0.3)])
def test_a_try_that_takes_too_much_is_a_fault(
    megabytes: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "linux" and not seconds:
        pytest.skip("memory is watched on Linux alone")
    monkeypatch.setattr(campaign, "MOST_SECONDS", 0.2)
    with pytest.raises(AssertionError, match=r"took .* s of CPU time and \d+ MB more memory; allowed"):
        campaign.outcome_of(lambda rng: of_some_size(megabytes, seconds), [0])
