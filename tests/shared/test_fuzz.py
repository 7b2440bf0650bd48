"""Fuzzing: some tries of each kind, and a run that reports planted faults.

A long run: `python -m tests.fuzz --tries 100000`.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import polytrix
from polytrix.core.game import Game
from tests.fuzz import campaign
from tests.shared import planted_fuzz

PLANTED = "tests.shared.planted_fuzz"


@pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("what", campaign.KINDS)
@pytest.mark.parametrize("tries", [100, pytest.param(300, marks=pytest.mark.slow)])
def test_some_tries_of_each_kind(tries: int, what: str, game: Game, tmp_path: Path) -> None:
    attempt = import_module(f"tests.fuzz.{what}").prepare(game, tmp_path)
    outcomes = {attempt(np.random.default_rng([1, number])) for number in range(tries)}
    assert len(outcomes) > 1  # some are refused and some taken


def test_a_campaign_survives_crashes_hangs_and_errors_and_names_the_tries(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaign, "PATIENCE", 1.0)
    with pytest.raises(SystemExit, match="1"):
        campaign.main(["--what", PLANTED, "--game", "quatrix", "--tries", "20"])
    shown = capsys.readouterr()
    assert f"try {planted_fuzz.CRASH}: the process ended with code -11" in shown.out
    assert f"try {planted_fuzz.HANG}: no end after 1 s" in shown.out
    assert f"try {planted_fuzz.FAIL}: AssertionError: this must not happen (planted_fuzz.py:" in shown.out
    assert f"try {planted_fuzz.RAISE}: KeyError: 'nobody expects it'" in shown.out
    counts = re.search(r"even (\d+), odd (\d+), unreported (\d+)", shown.out)
    assert counts and sum(map(int, counts.groups())) == 16
    assert "of 20 tries" in shown.err


def test_one_try_is_made_again() -> None:
    (result,) = campaign.main(["--what", PLANTED, "--game", "quatrix", "--first", "4", "--tries", "1"])
    assert (result.tries, dict(result.outcomes), result.faults) == (1, {"even": 1}, [])


def test_unknown_kinds_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        campaign.main(["--what", "snapshot"])
    assert "unknown kind 'snapshot'; allowed: snapshots, policies" in capsys.readouterr().err
