"""Actions and chance as text, and positions in words."""

from __future__ import annotations

import pytest

from polytrix.core.errors import NotationError
from polytrix.core.state import CHANCE
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import Phase

from .play import VARIETY, dealt, go, new_game, random_states


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
                assert GAME.parse_action(s, f" {GAME.format_action(s, action)} ") == action


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


# -- positions ------------------------------------------------------------------------------------


@pytest.mark.clause("ES-25")
def test_a_turn_in_words() -> None:
    states = new_game(players=3)
    assert GAME.text(states[0], 0) == "set-up"
    go(states, 0)
    while states[0].phase == Phase.SETUP:
        go(states, 1 if states[0].dealt_row in range(48) else 0)
    s = states[0]
    assert GAME.text(s, 0).startswith("turn 1 of 100: A bans a colour as Kvanter, M is Negater (first turn).\n")
    assert "A       . 6 . 1 1 1   -      Kvanter\n" in GAME.text(s, 0)
    go(states, "ban white")
    assert "A gives a hint as Kvanter, M is Negater (first turn). Banned: white" in GAME.text(s, 1)
    go(states, "hint apple")
    assert "A sets a die or waits as Kvanter" in GAME.text(s, 1)
    assert "*apple* (faces: yellow 1, red 3, green 2). You think: red." in GAME.text(s, 2)
    assert "You think" not in GAME.text(s, None)
    go(states, "wait", "set red")
    text = GAME.text(s, 0)
    assert "M sets a die, A is Kvanter and waits" in text
    assert "\nT       . . 6 1 1 1   ?\n" in text and "\nM       6 . . 1 1 1   -      Negater, you\n" in text
    assert "\nT       . . 6 1 1 1   red    you\n" in GAME.text(s, 2)
    go(states, "set blue")
    assert "A sets the last die as Kvanter" in GAME.text(s, 1)
    go(states, "set red")
    text = GAME.text(s, 0)
    assert "last turn: M:B A:R T:R, Kvanter A, Negater M" in text
    assert "  apple: dice M:B A:R T:R; hint of A, who set R, W banned" in text
    assert "\nA       . 5 1 1 1 1   -\n" in text and "  candy: everybody reads M:R A:R T:R\n" in text
    assert "food     banana:Y milk:W apple:R grape:G plum:B wine:W ice-cream:W candy+:R  " in text
    assert "food     0 MAT    banana:Y" in GAME.text(s, None) and "food     1 -      " in GAME.text(s, None)


def test_other_situations_in_words() -> None:
    states = new_game(hints="none", players=3, advanced=True, max_turns=1, ban="rolled")
    s = go(states, 0)
    assert GAME.text(s, 1).startswith("advanced game, turn 1 of 1: the Kvanter die of A rolls, M is Negater")
    go(states, 0, "set red", "set blue", "set green")
    assert GAME.text(s, 1).startswith("turn 1: over, cut off, a draw\n") and "known of words" not in GAME.text(
        s, 1
    )
    states = new_game(hints="symbols", players=3, max_turns=1)
    s = go(states, 0, "ban white", "hint s07", "set red")
    assert GAME.text(s, 2).endswith("\nThe Kvanter hints *s07*.")
    go(states, "set red", "set green")
    assert GAME.text(s, 1).startswith("turn 1: over, cut off, won by A and T\n")
    assert "  s07: dice M:G A:R T:R; hint of A, who set R, W banned" in GAME.text(s, 1)
