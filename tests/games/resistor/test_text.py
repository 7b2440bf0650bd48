"""The position as text for a terminal."""

from __future__ import annotations

from textwrap import dedent

import pytest

from polytrix.core.viewers import SPECTATOR
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import ROW, Phase, is_known
from polytrix.games.resistor.text import text

from .positions import Position
from .random_positions import random_positions

WORKED = "row 42a+ 20b+ 48a-; R 0a 37b; left FDSL; opt lock_down; lock R48; lv 2/3; pile 45 4"
AS_RED = """\
    red MainFrame, DEFCON 2
     1 r00       ^ | ?
     2 r01       v | b00 b11  (blue knows)
     3 r11 b00   v | ?  (red lock)
    blue MainFrame, DEFCON 3
    red hand
     1 * r0* r*0 | ?
     2 -         | ?
    blue hand
     1 r00 r11   | ?
     2 b00 b11   | ?
    deck 41, discards 2, newest * r1* r*0 | r11 b00
    with lock_down
    red turn, left: draw, switch, lock. Red to act"""
AS_BLUE = """\
    blue MainFrame, DEFCON 3
     1 b11 r00     ^ | ?  (red lock)
     2 r01         ^ | b00 b11  (red knows)
     3 r11         v | ?
    red MainFrame, DEFCON 2
    blue hand
     1 b00 b10 r11 | ?
     2 b11 r00 r10 | ?
    red hand
     1 r00 r11     | ?
     2 b11         | ?
    deck 41, discards 2, newest * r1* r*0 | b00 r11
    with lock_down
    red turn, left: draw, switch, lock. Red to act"""
AS_SPECTATOR = """\
    red MainFrame, DEFCON 2
     1 42a+ r00       ^ | r00 b10 b11
     2 20a- r01       v | b00 b11  (red knows, blue knows)
     3 48a- r11 b00   v | r11 b00  (red lock)
    blue MainFrame, DEFCON 3
    red hand
     1 0a   * r0* r*0 | r00 r11
     2 37b  -         | b11
    blue hand
     1 34a  r00 r11   | r11 b00 b10
     2 35a  b00 b11   | r00 r10 b11
    deck 41, discards 2, newest * r1* r*0 | r11 b00
    with lock_down
    red turn, left: draw, switch, lock. Red to act"""


@pytest.mark.clause("RS-01", "RS-04", "RS-12", "RS-24", "RS-62", "RS-64")
@pytest.mark.parametrize(("seat", "expected"), [(0, AS_RED), (1, AS_BLUE), (None, AS_SPECTATOR)])
def test_each_reads_the_position_from_the_own_end(seat: int | None, expected: str) -> None:
    assert text(Position(WORKED).play("F2").state, seat) == dedent(expected)


def test_notes_at_cards() -> None:
    undo = Position("row 42a+ 0b- 44a+ 20b+; lv 2/1; opt comeback_circuits").play("F2")
    assert text(undo.state, 1).splitlines()[3].endswith("(red knows, undo?)")
    undo.advance(GAME.parse_action(undo.state, "K"))  # Red has to draw a new hand
    assert undo.state.phase == Phase.REDRAW
    assert text(undo.state, 0).splitlines()[2].endswith("(blue knows, resolving)")


@pytest.mark.clause("RS-62", "RS-64")
def test_spectators_see_the_sides_that_both_seats_know() -> None:
    hidden = 0
    for s in random_positions():
        cards = [place for place in range(12) if s.card[place] >= 0]
        unknown = 0
        for place in cards:
            knowing = is_known(s, place, 0) + is_known(s, place, 1)
            unknown += 2 - knowing if place >= ROW else knowing < 2
        assert text(s, SPECTATOR).replace("undo?", "").count("?") == unknown
        hidden += unknown
    assert hidden > 100
