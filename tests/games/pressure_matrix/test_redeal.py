"""Bids stay hidden until all have bid, and are redealt until then."""

from __future__ import annotations

import re

import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER
from polytrix.games.pressure_matrix import GAME

from .play import dealt, go


def bids_told(table: Simulator, viewer: int | None) -> list[str]:
    """The column of bids in the text for a viewer."""
    return re.findall(r"^\d \w+ \*?(?: +\d+){4} +(\S+)", GAME.text(table.states[0], viewer), re.MULTILINE)


@pytest.mark.clause("PM-06", "PM-90")
def test_bids_of_others_are_not_told_but_dealt_anew() -> None:
    """Worked position W33; that nothing else tells them is tested for all games."""
    one = Simulator(GAME, options={"players": 4}, seed=11)
    for credits in (0, 2, 3):
        one.step([GAME.parse_action(one.states[0], f"bid {credits}")])
    assert bids_told(one, 0) == ["0", "?", "?", "-"]
    assert bids_told(one, 1) == ["?", "2", "?", "-"]
    assert bids_told(one, None) == ["0", "2", "3", "-"]
    before = one.view(1)[0].tobytes()
    bids = set()
    for _ in range(50):
        one.redeal(1)
        assert one.view(1)[0].tobytes() == before
        bids.add(tuple(one.states[0].bid.tolist()))
    assert len(bids) > 20 and {b[1] for b in bids} == {2} and {b[3] for b in bids} == {-1}
    one.step([GAME.parse_action(one.states[0], "bid 1")])
    after = one.states.tobytes()
    one.redeal(1)
    assert one.states.tobytes() == after


def test_no_leaks_where_bidding_is_cut_off() -> None:
    states = dealt(players=3, max_decisions=2)
    s = go(states, "bid 3", "bid 2")
    assert s.mover == OVER and s.truncated
    GAME.redeal(s, 2)
    assert s.bid[2] == -1
