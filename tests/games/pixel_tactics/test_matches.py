"""PT-10 to PT-13, PT-83, PT-110 to PT-116: sequences of matches, and the end of the game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.bits import size
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.state import Act, Decision

from .positions import Table


def pass_all(options: dict[str, Any], seed: int = 1) -> list[Any]:
    """A game in which both seats pass: the states in which leaders are picked, and the last one."""
    simulator = Simulator(GAME, 1, options, seed=seed)
    picks = []
    while simulator.mover[0] != OVER:
        s = simulator.states[0]
        if s.decision == Decision.LEADER:
            picks.append(s.copy())
        legal = simulator.legal_ids[0, : simulator.num_legal[0]]
        simulator.step([Act.PASS if Act.PASS in legal else int(legal[0])])
    return [*picks, simulator.states[0].copy()]


@pytest.mark.clause("PT-83", "PT-111", "PT-113", "PT-115", "PT-116")
@pytest.mark.parametrize(("best_of", "trophies"), [(3, 1), (5, 2)])
def test_ties_end_after_nine_matches(best_of: int, trophies: int) -> None:
    *picks, end = pass_all({"best_of": best_of, "max_rounds": 2})
    assert len(picks) == 18
    assert (end.match, list(end.trophies), end.result) == (9, [trophies, trophies], 2)
    for match, s in enumerate(picks[::2]):
        assert s.match == match + 1
        for seat in range(2):
            assert size(int(s.out[seat])) == match
            held = size(int(s.hand[seat]))
            assert held == 5 + s.trophies[1 - seat]  # PT-112
            assert size(int(s.deck[seat])) == 25 - match - held


@pytest.mark.clause("PT-83", "PT-110")
def test_one_match_decides() -> None:
    *picks, end = pass_all({"max_rounds": 1})
    assert len(picks) == 2
    assert (end.match, list(end.trophies), end.result, end.round_number) == (1, [0, 0], 2, 1)


@pytest.mark.clause("PT-110")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("best_of=3 trophies=1:0 match=2", [1, -1]),
        ("best_of=3 payoff=trophies trophies=1:0 match=2", [1, -1]),
        ("best_of=5 payoff=trophies trophies=2:1 match=4", [2 / 3, -2 / 3]),
    ],
)
def test_the_last_trophy_wins_the_game(options: str, expected: list[float]) -> None:
    match = int(options[-1])
    out = "".join(f",{name}" for name in ("Witch", "Oracle", "Mystic")[: match - 1]).lstrip(",")
    table = Table(
        f"R3 R seat=1 {options} / 0: L=Knight out={out} / 1: L=Healer*15 out={out}",
    ).run(["> pass | = result=0; mover=over"])
    table.simulator.refresh()
    assert table.simulator.reward[0] == pytest.approx(np.array(expected, np.float32))
