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


STORY = [
    (None, "", "The row is laid"),
    ("row 42a+ 20b+ 44a+", "", "red turn, left: flip, draw, switch. Red to act"),
    ("row 42a+ 20b+ 44a+; left DS; turn B", "", "blue turn, left: draw, switch. Blue to act"),
    ("row 20b+ 44a+ 21a+; left D", "D[8b]", "red turn, left: nothing. Red to place the drawn card"),
    ("row 20b+ 44a+ 21a+; left DS", "D[8b] T-", "red turn, left: switch. Blue has to flip a card"),
    ("row 21a+ 0b+ 4b- 2b+ 20b+; left FD", "F3", "red turn, left: draw. Red to pick a Resistor"),
    (
        "row 42a+ 0b- 44a+ 20b+; lv 2/1; opt comeback_circuits",
        "F2",
        "red turn, left: draw, switch. Red may undo the flip",
    ),
    ("row 0b+ 2b- 21a+; left F; lv 1/3", "F3", "Red wins: a hit at DEFCON 4"),
    ("row 48a+ 32a+ 18a-; left F; lv 4/4", "F3", "Drawn game: a hit at DEFCON 4"),
    ("row 42a+ 49b+", "F2", "Red wins: one card left in the row"),
    ("row 20b+ 44a+ 21a+; deck 43; lv 2/1", "D[43a] T-", "Blue wins: the deck is empty"),
]


@pytest.mark.parametrize(("position", "actions", "expected"), STORY)
def test_the_last_line_tells_what_is_going_on(position: str | None, actions: str, expected: str) -> None:
    assert text(Position(position).play(actions).state, None).splitlines()[-1] == expected


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
