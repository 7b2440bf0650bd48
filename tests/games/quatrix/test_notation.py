"""Actions as text and back, and the record of a game."""

from __future__ import annotations

import pytest

from polytrix.core.errors import NotationError
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.notation import legal_ids

from .play import Position

LAST_MOVE = """
    10 p p p p p p r
    5 . . . . . . d"""


def test_a_win_may_be_written_without_its_sign() -> None:
    s = Position(LAST_MOVE).roll("red 5-1").state
    assert GAME.parse_action(s, "Dg5+g10") == GAME.parse_action(s, "Dg5+g10#")


def test_actions_by_number() -> None:
    s = Position().roll("red 3-2").state
    assert GAME.format_action(s, 311) == "!311"
    assert GAME.parse_action(s, "!311") == 311
    assert GAME.parse_action(s, "!12") == 12  # legal ones too
    with pytest.raises(NotationError, match="!0 to !847"):
        GAME.parse_action(s, "!848")
    with pytest.raises(IndexError):
        GAME.format_action(s, 848)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not an action"),
        ("Kd1-d4", "is not an action"),
        ("Rd0-d3", "is not an action"),
        ("Rh1-h4", "is not an action"),
        ("Rd1-d4##", "is not an action"),
        ("Rd1+d4", "did you mean 'Rd1-d4'"),
        ("Rd1-d4#", "does not win"),
        ("Rd1-d7", "legal are Ra1-a3, Ra1-a4, .*\\(14 in all\\)"),
        ("pass", "is illegal here"),
    ],
)
def test_errors_say_what_is_wrong(text: str, message: str) -> None:
    s = Position().roll("red 3-2").state
    with pytest.raises(NotationError, match=message):
        GAME.parse_action(s, text)


def test_nothing_is_legal_while_dice_roll_or_after_the_end() -> None:
    rolling = Position()
    over = Position(LAST_MOVE).roll("red 5-1").play("Dg5+g10#")
    for table in (rolling, over):
        assert legal_ids(table.state) == []
        assert GAME.format_action(table.state, 12) == "!12"
        with pytest.raises(NotationError, match="no seat is to move"):
            GAME.parse_action(table.state, "Rd1-d4")


def test_dice() -> None:
    assert [GAME.format_chance(Position().state, outcome) for outcome in (0, 5)] == ["=1", "=6"]
