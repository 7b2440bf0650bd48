"""Set-up: tiles, bids, roll-offs, starting places; reverses that are drawn."""

from __future__ import annotations

import pytest

from polytrix.core.state import CHANCE
from polytrix.games.pressure_matrix import GAME, rules
from polytrix.games.pressure_matrix.matrix import square_name
from polytrix.games.pressure_matrix.state import Phase

from .play import SIDES, bid, dealt, go, new_game


@pytest.mark.clause("PM-01", "PM-02", "PM-03")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_table_before_the_bids(players: int) -> None:
    s = dealt(players=players)[0]
    names = {square_name(q) for q in range(25) if s.up[q] >= 0}
    side = SIDES[players]
    assert names == {f"{letter}{number}" for letter in "abcde"[:side] for number in range(1, side + 1)}
    assert s.credits.tolist() == [10] * players + [0] * (5 - players)
    assert s.hand.tolist() == [5] * players + [0] * (5 - players)
    assert (s.level, s.phase, s.mover) == (0, Phase.BID, 0)
    assert (s.runner == -1).all()


@pytest.mark.clause("PM-04", "PM-05", "PM-47", "PM-93")
@pytest.mark.parametrize(("reverse", "first", "step"), [("known", 100, 2), ("drawn", 100, 1)])
def test_outcomes_of_the_deal(reverse: str, first: int, step: int) -> None:
    """Worked position W34: 100, 98, ... or 100, 99, ... outcomes."""
    states = new_game(players=2, reverse=reverse)
    counts = []
    while states[0].mover == CHANCE:
        counts.append(rules.chance(states[0]))
        go(states, 0)
    assert counts == [first - step * k for k in range(9)]
    s = states[0]
    known = s.reverse[s.up >= 0] >= 0
    assert known.all() if reverse == "known" else not known.any()


@pytest.mark.clause("PM-04", "PM-05", "PM-47")
def test_a_deal_brings_the_tile_and_side_that_its_outcome_names() -> None:
    states = new_game(players=2)
    pile = list(range(50))
    squares = [0, 1, 2, 5, 6, 7, 10, 11, 12]
    for square, outcome in zip(squares, [33, 97, 0, 1, 60, 61, 5, 8, 83], strict=True):
        expected = 2 * pile.pop(outcome // 2) + outcome % 2
        s = go(states, outcome)
        assert s.up[square] == expected
        assert s.reverse[square] == expected ^ 1


@pytest.mark.clause("PM-93")
def test_reverses_are_drawn_from_the_unseen_faces_once() -> None:
    states = dealt(players=2, reverse="drawn")
    s = bid(states, [1, 0])
    go(states, "start nw", "start se")
    s.phase = Phase.PRESSURE
    rules.run(s, rules.UNDECIDED)
    seen = set(s.up[s.up >= 0].tolist())
    s.phase, s.code, s.step = Phase.EFFECT, 10, 0  # a FLIP
    s.node_square, s.node_place = 0, 0
    rules.run(s, rules.UNDECIDED)
    assert s.phase == Phase.FLIP
    s = go(states, "flip b2")
    assert (s.phase, s.mover, rules.chance(s)) == (Phase.REVERSE, CHANCE, 91)
    front = int(s.up[6])
    assert GAME.format_chance(s, 0).startswith("reverse b2 ")
    unseen = [face for face in range(100) if face not in seen]
    s = go(states, 40)
    assert (s.up[6], s.reverse[6]) == (unseen[40], front)
    s.phase, s.mover = Phase.FLIP, 0
    rules.turn_over(s, 6, Phase.NEXT)
    assert (s.phase, s.up[6], s.reverse[6]) == (Phase.NEXT, front, unseen[40])
