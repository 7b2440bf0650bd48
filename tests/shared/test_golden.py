"""Recorded games and counts: see `tests/golden/README.md`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polytrix
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.state import CHANCE, OVER, Record
from polytrix.testing import check_perft, perft
from polytrix.testing.perft import position
from tests.every_game import every_game
from tests.playthroughs import game_of, playthrough

GOLDEN = Path(__file__).parents[1] / "golden"
PLAYTHROUGHS = sorted(GOLDEN.glob("*.txt"))
COUNTS = [
    pytest.param(polytrix.find(name), case, id=f"{name}-{number}")
    for name, cases in json.loads((GOLDEN / "perft.json").read_text(encoding="utf-8")).items()
    for number, case in enumerate(cases)
]
CONFIRMED = 1_600  # positions that the slow recursion may visit


@every_game
def test_every_game_has_golden_files(game: Game) -> None:
    assert any(path.name.startswith(game.name) for path in PLAYTHROUGHS)
    assert any(case.values[0] is game for case in COUNTS)


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_the_playthrough_is_the_recorded_one(path: Path) -> None:
    recorded = path.read_text(encoding="utf-8")
    transcript = game_of(recorded)  # replays in compiled code
    assert playthrough(transcript) == recorded
    assert f"\npayoffs: {[*(transcript.payoffs() or ())]}" in recorded


@pytest.mark.parametrize(("game", "case"), COUNTS)
def test_perft(game: Game, case: dict[str, Any]) -> None:
    counts = case["counts"]
    check_perft(game, counts, case["options"], seed=case["seed"], decisions=case["decisions"])


@pytest.mark.parametrize(("game", "case"), COUNTS)
def test_small_depths_by_obvious_recursion(game: Game, case: dict[str, Any]) -> None:
    counts = case["counts"]
    depth = max(d for d in range(len(counts)) if sum(counts[:d]) <= CONFIRMED and d < 6)
    start = position(game, case["options"], case["seed"], case["decisions"], Mode.PLAIN)[0]
    assert depth >= 2
    assert [paths(game, start, d) for d in range(depth + 1)] == counts[: depth + 1]


def paths(game: Game, s: Record, depth: int) -> int:
    """The number of sequences of `depth` actions and chance outcomes from a position."""
    if depth == 0:
        return 1
    if depth == 1:  # no need to look at the positions after the last step
        return len(steps(game, s))
    return sum(paths(game, after(game, s, step), depth - 1) for step in steps(game, s))


def steps(game: Game, s: Record) -> list[int]:
    """All legal actions, or all outcomes of the pending chance event."""
    if s.mover == OVER:
        return []
    if s.mover == CHANCE:
        return list(range(game.chance(s)))
    ids = np.zeros(game.max_legal, np.int16)
    return [int(i) for i in ids[: game.legal(s, ids)]]


def after(game: Game, s: Record, step: int) -> Record:
    child = s.copy()
    was_chance = child.mover == CHANCE
    game.apply(child, step)
    if not was_chance:
        child.decisions += 1
    if child.mover >= 0 and child.decisions >= child.options.max_decisions:
        child.mover = OVER
        child.truncated = 1
    return child


def test_perft_and_recursion_agree_up_to_the_limit_of_decisions() -> None:
    game = polytrix.find("quatrix")
    options = {"max_decisions": 1}
    start = position(game, options, 5, 0, Mode.PLAIN)[0]
    expected = [paths(game, start, d) for d in range(4)]
    assert expected[2:] == [0, 0]
    assert perft(game, 3, options, seed=5) == expected
