"""What a seat is told beside the position; `log_reader.py` reads what is said of actions."""

from __future__ import annotations

from polytrix.games.quatrix import GAME

from .play import Position

RED_ZONE, BLUE_ZONE = "Red wins with seven pips in rows 9 to 10.", "Blue wins with seven pips in rows 2 to 3."


def test_the_zones_and_what_was_moved_before() -> None:
    table = Position("11 . . . D . . .\n 7 . . R . . . .\n 3 . . d . . . .").roll("red 4-1")
    s = table.state
    assert GAME.notes is not None
    assert GAME.notes(s, 1) == [BLUE_ZONE, RED_ZONE]
    table.play("Dc3xc7")
    assert GAME.notes(s, 1)[2] == "The first die move of this turn: the disc from c3 to c7."


def test_a_zone_of_one_row() -> None:
    s = Position(finish_depth=1).roll("red 3-2").state
    assert GAME.notes is not None
    assert GAME.notes(s, 0) == [
        "Red wins with seven pips in row 10.",
        "Blue wins with seven pips in row 2.",
    ]
