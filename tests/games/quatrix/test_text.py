"""The position as text for a terminal."""

from __future__ import annotations

import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.quatrix import GAME

from .play import Position

LAST_MOVE = """
    10 p p p p p p r
    5 . . . . . . d"""


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_text_shows_the_board_from_the_seat(seat: int | None) -> None:
    lines = GAME.text(Position("2 r d p . R D P").roll("red 4-2").state, seat).splitlines()
    if seat == 1:
        assert (lines[1], lines[11]) == (" 2 P D R . p d r", "   g f e d c b a")
    else:
        assert (lines[9], lines[11]) == (" 2 r d p . R D P", "   a b c d e f g")
    assert lines[12] == "red MOVE 4-2  home 0:1"


def test_text_tells_how_the_game_stands() -> None:
    def status(table: Position) -> str:
        return GAME.text(table.state, None).splitlines()[-1]

    assert status(Position()) == "opening roll  home 0:0"
    assert status(Position().roll("blue 3-2").play("Rd11-d8")) == "blue MOVE (3)-2  home 0:0"
    assert status(Position(LAST_MOVE).roll("red 5-1").play("Dg5+g10#")) == "red wins, odds 1  home 7:0"
    cut = Simulator(GAME, options={"max_decisions": 1}, seed=2)
    cut.step(cut.random_actions())
    assert GAME.text(cut.states[0], 0).splitlines()[-1] == "truncated  home 0:0"
