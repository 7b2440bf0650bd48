"""Fuzzing: some tries of each kind, and planted defects that they find.

A long run: `python -m tests.fuzz --tries 100000`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.core.game import Game
from tests.fuzz import campaign
from tests.toys import SECRET

FEWER = {"disk": 50, "shown": 30}
"""Number of tries in place of 100, of kinds that take their time."""
QUICK = {
    **dict.fromkeys(("checkpoints", "disk", "records"), ("quatrix",)),
    "searches": (),
    "data": ("resistor", "estimatrix", "pressure_matrix"),
}
"""Games with which CI tries a kind, if not with all: two more programs of each would be compiled for searches,
so a toy stands in; checkpoints, disks and records hardly know a game, and two games have no data files."""


def samples() -> Iterator[Any]:
    """A small sample of each kind with each game."""
    yield pytest.param(100, "searches", SECRET, id="100-searches-secret")
    for what, game in product(campaign.KINDS, polytrix.all_games()):
        tries = FEWER.get(what, 100)
        slow = () if game.name in QUICK.get(what, (game.name,)) else pytest.mark.slow
        yield pytest.param(tries, what, game, marks=slow, id=f"{tries}-{what}-{game.name}")


@pytest.mark.parametrize(("tries", "what", "game"), list(samples()))
def test_some_tries_of_each_kind(tries: int, what: str, game: Game, tmp_path: Path) -> None:
    attempt = campaign.prepared(what, game, tmp_path)
    outcomes = {campaign.outcome_of(attempt, [1, number]) for number in range(tries)}
    assert len(outcomes) > 1  # some are refused and some taken


# -- planted defects ----------------------------------------------------------------------

CRASH, FAIL = 3, 8


def prepare(game: Game, folder: Path) -> Callable[[np.random.Generator], str]:
    """A kind in which two tries crash and fail. Each recognises its number by the state of its generator."""
    numbers = {np.random.default_rng([0, number]).integers(1 << 60): number for number in range(20)}

    def attempt(rng: np.random.Generator) -> str:
        number = numbers[rng.integers(1 << 60)]
        if number == CRASH:
            os.kill(os.getpid(), signal.SIGSEGV)
        assert number != FAIL, "this must not happen"
        return "even" if number % 2 == 0 else "odd"

    return attempt


def test_a_campaign_survives_a_crash_and_names_the_tries(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="1"):
        campaign.main(["--what", __name__, "--game", "quatrix", "--tries", "20"])
    shown = capsys.readouterr().out
    assert f"try {CRASH}: the process ended: " in shown and "SIGSEGV" in shown
    assert f"try {FAIL}: AssertionError: this must not happen (test_fuzz.py:" in shown
