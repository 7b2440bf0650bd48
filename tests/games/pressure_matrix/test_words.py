"""Actions and notes in words."""

from __future__ import annotations

import pytest

from polytrix import Simulator
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.notation import ACTION_NAMES
from polytrix.games.pressure_matrix.text import result

from .positions import Table

POSITION = """
n=3 at=pressure active=1 credits=4,5,6 runners=a1,b2,c3
b2: STEAL 2 | MOVE -1 | LEVEL RED | WIN 3
a1: FLIP | *SHIELD @0 | WIN_BLACK | PRESSURE -2
a1/: WIN 4 | PAY 3 | TELEPORT | INVERT
"""

OTHER_SIDES = "The other sides of the tiles (nw, ne, sw, se):"


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("move a1", "move your runner to a1; free there: Flip, Win black, Pressure -2"),
        ("node nw", "black out Steal 2 on b2, upper left: steal 2 from another runner"),
        (
            "node ne",
            "black out Move -1 on b2, upper right: puts a Control Marker of yours there, for later: "
            "add -1 to this turn's movement",
        ),
        ("give +1", "give to purple (6 Credits)"),
        ("payer +0", "pay yourself"),
        ("flip a1", "turn over the tile on a1: up comes Win 4, Pay 3, Teleport, Invert"),
        ("invert a1", "invert the tile on a1: blacked out will be Flip, Win black, Pressure -2"),
        ("discard a1.ne", "discard blue's marker on Shield on a1, upper right"),
    ],
)
def test_words(move: str, words: str) -> None:
    table = Table(POSITION)
    assert table.game.explain(table.state, ACTION_NAMES.index(move)) == words


@pytest.mark.clause("PM-07")
def test_what_a_bid_buys() -> None:
    opening = Simulator(GAME, seed=1).states[0]
    words = GAME.explain(opening, ACTION_NAMES.index("bid 3"))
    assert words == "bid 3 Credits for the first turn; only the highest bid is paid"


def test_what_is_going_on() -> None:
    table = Table(POSITION)
    first, *sides = table.game.notes(table.state, 0)
    assert first == OTHER_SIDES
    assert "a1: Win 4, Pay 3, Teleport, Invert" in sides
    assert table.game.task(table.state) == "black out a node of the tile reached"
    table.play("node nw")
    assert table.game.task(table.state) == "choose whom to steal from (Steal 2)"
    assert table.asked.startswith("1 STEAL")
    told = table.game.notes(table.state, 2)
    assert told == ["Blacked out in this Pressure Phase: Steal 2 on b2, upper left.", OTHER_SIDES, *sides]


@pytest.mark.clause("PM-88")
@pytest.mark.parametrize(
    ("credits", "told"), [("9,9,9", "A draw"), ("9,8,9", "Blue and purple win"), ("4,8,5", "Orange wins")]
)
def test_the_result_in_words(credits: str, told: str) -> None:
    table = Table(f"n=3 active=1 credits={credits} runners=a1,b2,c3")
    assert result(table.state) == told


@pytest.mark.clause("PM-23")
@pytest.mark.clause("PM-89")
def test_a_seat_is_told_that_it_had_no_choice() -> None:
    """Blue is boxed in and has only markers in hand to discard."""
    table = Table("n=2 runners=a1,b1 level=red\na2: full").play("{3 3}")
    before = table.state.copy()
    table.play("{3}")
    rolled, *told = table.game.tell(before, 2, table.state, 0)
    assert rolled.startswith(f"turn {before.turns}: blue rolls 3, 3 and 3, ")
    assert told[0] == "you have no choice: blue discards a marker from its hand"
    assert table.game.tell(before, 2, table.state, 1)[1].startswith("without a choice, blue discards")
