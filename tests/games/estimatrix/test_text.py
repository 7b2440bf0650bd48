"""Positions as text."""

from __future__ import annotations

import pytest

from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.state import Phase

from .play import go, new_game


@pytest.mark.clause("ES-25")
def test_a_turn_in_words() -> None:
    states = new_game(players=3)
    assert GAME.text(states[0], 0) == "set-up"
    go(states, 0)
    while states[0].phase == Phase.SETUP:
        go(states, 1 if states[0].dealt_row in range(48) else 0)
    s = states[0]
    assert "\nturn 1 of 100: A bans a colour as Kvanter, M is Negater (first turn).\n" in GAME.text(s, 0)
    assert "A       . 6 . 1 1 1   -      Kvanter\n" in GAME.text(s, 0)
    go(states, "ban white")
    assert "A gives a hint as Kvanter, M is Negater (first turn). Banned: white" in GAME.text(s, 1)
    go(states, "hint apple")
    assert "A sets a die or waits as Kvanter" in GAME.text(s, 1)
    assert "hints apple (faces: yellow 1, red 3, green 2): you read it as red." in GAME.text(s, 2)
    assert "you read it" not in GAME.text(s, None)
    go(states, "wait", "set red")
    text = GAME.text(s, 0)
    assert "M sets a die, A is Kvanter and waits" in text
    assert "\nT       . . 6 1 1 1   ?\n" in text and "\nM       6 . . 1 1 1   -      Negater, you\n" in text
    assert "\nT       . . 6 1 1 1   red    you\n" in GAME.text(s, 2)
    go(states, "set blue")
    assert "A sets the last die as Kvanter" in GAME.text(s, 1)
    go(states, "set red")
    text = GAME.text(s, 0)
    assert "last turn: M:B A:R T:R, Kvanter A, Negater M; T hit\nturn 2 of 100: " in text
    assert "  apple: dice M:B A:R T:R; hint of A, who set R, W banned" in text
    assert "\nA       . 5 1 1 1 1   -\n" in text and "  candy: everybody reads M:R A:R T:R\n" in text
    assert "food     banana:Y milk:W apple:R grape:G plum:B wine:W ice-cream:W candy+:R  " in text
    assert "food     0 MAT    banana:Y" in GAME.text(s, None) and "food     1 -      " in GAME.text(s, None)


@pytest.mark.clause("ES-27", "ES-28")
@pytest.mark.parametrize(
    ("dice", "told"),
    [
        (("red", "red", "red", "red"), "the Negater hit"),
        (("red", "red", "red", "blue"), "T and R hit"),
        (("red", "white", "blue", "blue"), "nobody hit"),
    ],
)
def test_who_hit_in_words(dice: tuple[str, ...], told: str) -> None:
    s = go(new_game(players=4, hints="symbols"), 0, "ban green", "hint s07", *(f"set {die}" for die in dice))
    assert f"Kvanter A, Negater M; {told}\n" in GAME.text(s, 0)
