"""PT-10 to PT-13, PT-83, PT-110 to PT-116: sequences of matches, and the end of the game."""

from __future__ import annotations

from typing import Any

import pytest

from polytrix.core.bits import size
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.state import Act, Decision


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
