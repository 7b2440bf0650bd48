"""Actions as text and back, and chance outcomes as text."""

from __future__ import annotations

import pytest

from polytrix.core.state import CHANCE
from polytrix.games.estimatrix import GAME

from .play import dealt, go, new_game


@pytest.mark.clause("ES-47")
def test_numbers_and_names() -> None:
    expected = {
        0: "ban white", 5: "ban purple", 6: "roll", 7: "hint banana", 13: "hint ice-cream", 54: "hint surprise",
        55: "set white", 60: "set purple", 61: "wait",
    }  # fmt: skip
    s = dealt()
    assert {action: GAME.format_action(s, action) for action in expected} == expected


def test_there_are_62() -> None:
    s = dealt()
    assert len({GAME.format_action(s, action) for action in range(62)}) == GAME.actions.size == 62
    with pytest.raises(IndexError):
        GAME.format_action(s, 62)


def test_chance() -> None:
    states = new_game(players=3)
    s = states[0]
    assert [GAME.format_chance(s, outcome) for outcome in range(3)] == ["negater=M", "negater=A", "negater=T"]
    go(states, 1)
    assert GAME.format_chance(s, 0) == "banana.0=yellow" and GAME.format_chance(s, 5) == "banana.0=green"
    go(states, 0)
    assert GAME.format_chance(s, 5) == "banana.1=green"
    while s.dealt_row < 49:
        go(states, 0)
    assert GAME.format_chance(s, 2) == "A.food=2"
    while s.mover == CHANCE:
        go(states, 0)
    go(states, "roll")
    assert [GAME.format_chance(s, outcome) for outcome in (0, 5)] == ["ban=white", "ban=purple"]
