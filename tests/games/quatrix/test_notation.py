"""Actions as text and back, and the record of a game."""

from __future__ import annotations

import pytest

from polytrix.core.errors import NotationError
from polytrix.core.words import moves, parse_move
from polytrix.games.quatrix import GAME

from .play import Position

LAST_MOVE = """
    10 p p p p p p r
    5 . . . . . . d"""


def test_a_win_may_be_written_without_its_sign() -> None:
    s = Position(LAST_MOVE).roll("red 5-1").state
    assert parse_move(GAME, s, "Dg5+g10", moves(GAME, s)) == GAME.parse_action(s, "Dg5+g10#")


def test_illegal_actions_have_numbers_as_names() -> None:
    s = Position().roll("red 3-2").state
    assert GAME.format_action(s, 311) == "!311"
    with pytest.raises(IndexError):
        GAME.format_action(s, 848)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no legal action; legal are Ra1-a4, Rb1-b4, .*\\(14 in all\\)"),
        ("Kd1-d4", "did you mean 'Rd1-d4'"),
        ("Rd1+d4", "did you mean 'Rd1-d4'"),
        ("Rd1-d4#", "did you mean 'Rd1-d4'"),
        ("Rd1-d4##", "did you mean 'Rd1-d4'"),
        (
            "Rd1-d7",
            "names no legal action: that is 6 squares, and the dice left show 3 and 2; did you mean 'Rd1",
        ),
        ("Dd1-d4", ": on d1 stands a pip; did you mean 'Rd1-d4'"),
        ("Rd1-e2", ": a die move goes straight along a row or a column; "),
        ("Rd5-d8", ": red has nothing on d5; "),
        ("Rd11-d8", ": red has nothing on d11; "),
        ("pass", "names no legal action; legal are"),
    ],
)
def test_errors_say_what_is_wrong(text: str, message: str) -> None:
    s = Position().roll("red 3-2").state
    with pytest.raises(NotationError, match=message):
        GAME.parse_action(s, text)


def test_dice() -> None:
    assert [GAME.format_chance(Position().state, outcome) for outcome in (0, 5)] == ["=1", "=6"]
