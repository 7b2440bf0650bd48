"""Actions as text and back, and chance outcomes as text."""

from __future__ import annotations

import pytest

from polytrix.core.errors import NotationError
from polytrix.core.state import CHANCE
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import Phase

from .play import dealt, go, new_game
from .random_positions import VARIETY, random_states


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (0, "ban white"),
        (5, "ban purple"),
        (6, "roll"),
        (7, "hint banana"),
        (13, "hint ice-cream"),
        (54, "hint surprise"),
        (55, "set white"),
        (60, "set purple"),
        (61, "wait"),
    ],
)
def test_numbers_and_names(action: int, text: str) -> None:
    assert GAME.format_action(dealt(), action) == text


def test_there_are_62() -> None:
    s = dealt()
    assert len({GAME.format_action(s, action) for action in range(62)}) == GAME.actions.size == 62
    with pytest.raises(IndexError):
        GAME.format_action(s, 62)


@pytest.mark.clause("ES-13")
def test_symbols() -> None:
    s = dealt(hints="symbols")
    assert GAME.format_action(s, 24) == "hint s17"


@pytest.mark.parametrize("number", range(len(VARIETY)))
def test_what_is_written_is_read(number: int) -> None:
    for simulator in random_states(VARIETY[number], 15, seed=number, games=2):
        for row, s in enumerate(simulator.states):
            for action in simulator.legal_ids[row, : simulator.num_legal[row]].tolist():
                assert GAME.parse_action(s, GAME.format_action(s, action)) == action


@pytest.mark.parametrize(
    ("played", "text", "message"),
    [
        ([], "ban orange", "'ban orange' is no action; write ban white.*did you mean 'ban"),
        ([], "set white", "'set white' is illegal here; legal are ban white, .*7 in all"),
        ([], "s00", "is no action; write ban white, roll, hint banana"),
        ([], "Roll", "is no action"),
        ([], "", "is no action"),
        (["ban red"], "hint aple", "did you mean 'hint apple'"),
        (
            ["ban red", "hint apple"],
            "set red",
            "'set red' is illegal here; legal are set white, .*wait .6 in all",
        ),
        (["ban red", "hint apple", "wait"], "wait", "'wait' is illegal here"),
        (["roll"], "roll", "'roll' is illegal here; no seat is to move"),
        (["roll"], "rol", "is no action; .*no seat is to move"),
    ],
)
def test_mistakes(played: list[str], text: str, message: str) -> None:
    states = new_game()
    go(states, 0)
    while states[0].phase == Phase.SETUP:
        go(states, 0)
    s = go(states, *played) if played else states[0]
    with pytest.raises(NotationError, match=message):
        GAME.parse_action(s, text)


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
