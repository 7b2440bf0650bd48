"""The position as text for a terminal."""

from __future__ import annotations

import pytest

from polytrix.games.quatrix import GAME

from .play import Position


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_text_shows_the_board_from_the_seat(seat: int | None) -> None:
    lines = GAME.text(Position("2 r d p . R D P").roll("red 4-2").state, seat).splitlines()
    if seat == 1:
        assert (lines[1], lines[11]) == (" 2 P D R . p d r", "   g f e d c b a")
    else:
        assert (lines[9], lines[11]) == (" 2 r d p . R D P", "   a b c d e f g")
    assert lines[12] == "red MOVE 4-2  home 0:1"
