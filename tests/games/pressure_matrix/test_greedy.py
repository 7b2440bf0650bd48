"""The greedy policy, where the best choice is plain."""

from __future__ import annotations

import pytest

from polytrix.games.pressure_matrix.greedy import HABITS
from tests.games.ratings import best

from .positions import Table


def chosen(table: Table, name: str = "greedy") -> set[str]:
    """The actions that are rated highest."""
    return best(table.game, table.state, name)


AT = "n=3 at=pressure runners=a1,d1,d4 "
CASES = [
    (AT + "credits=10,5,5\na1: WIN 2 | STEAL 2 | PAY 1 | GIVE 1", "", {"node ne"}),  # 2 + 2 / 2
    (AT + "credits=10,0,1\na1: WIN 2 | STEAL 3 | PAY 1 | GIVE 1", "", {"node nw"}),  # nothing to steal
    (AT + "credits=3,0,0\na1: STEAL 3 | INVERT | PAY 1 | PAY 2", "", {"node ne"}),  # nothing to steal
    (AT + "\na1: TELEPORT | FLIP | RECLAIM | WIN 1", "", {"node nw"}),
    (AT + "\na1: TAX | FLIP | PAY 1 | RECLAIM", "", {"node nw"}),  # nothing to reclaim, a marker to spare
    (AT + "out=4,0,0\na1: TAX | FLIP | PAY 1 | PAY 2", "", {"node ne"}),  # the last marker
    (AT + "credits=0,5,5\na1: PAY 3 | DISCARD | TAX | *WIN 1", "", {"node sw"}),
    (AT + "credits=3,9,5\na1: LEADER_PAYS 4 | WIN 1 | PAY 1 | PAY 2", "", {"node nw"}),
    (AT + "credits=9,3,5\na1: LEADER_PAYS 4 | PAY 3 | PAY 4 | PAY 5", "", {"node ne"}),
    (AT + "credits=1,2,9\na1: STEAL 4 | PAY 1 | PAY 1 | PAY 1", "node nw", {"steal +2"}),
    (AT + "credits=3,2,9\na1: GIVE 2 | PAY 1 | PAY 1 | PAY 1", "node nw", {"give +1"}),
    (AT + "\na1: TELEPORT | PAY 1 | PAY 1 | PAY 1", "node nw", {"runner +0"}),
    (
        AT + "\na1: TELEPORT | PAY 1 | PAY 1 | PAY 1\nc2: WIN 4 | PAY 1 | PAY 1 | PAY 1",
        "node nw; runner +0",
        {"teleport c2"},
    ),
    (AT + "\na1: FLIP | PAY 1 | PAY 1 | PAY 1\nc2: *WIN 4 | *PAY 1 | PAY 1 | PAY 1", "node nw", {"flip c2"}),
    (
        AT + "\na1: DISCARD | PAY 1 | PAY 1 | PAY 1\nc2: TAX @0 | PAY 1 | PAY 1 | PAY 1",
        "node nw",
        {"discard c2.nw"},
    ),
    (AT + "out=1,0,0\na1: RECLAIM | PAY 1 | PAY 1 | PAY 1", "node nw", {"recall"}),
    ("n=2 runners=a1,c3\nc1: WIN 4 | PAY 1 | PAY 1 | PAY 1", "{2 5 5}", {"move c1"}),
    ("n=2 runners=a1,c3\nb2: HARVEST 4 @0 | PAY 1 | WIN 2 | PAY 2\nb1: full; c1: full", "", {"roll"}),
    (
        "n=2 runners=a1,c3\nb2: HARVEST 4 @0 | PAY 1 | WIN 2 | PAY 2\nb1: full; c1: full; a3: full",
        "",
        {"use b2.nw"},
    ),
    ("n=2 runners=a1,c3\nb2: JUMP @0 | PAY 1 | WIN 2 | PAY 2", "", {"roll"}),
    (
        "n=2 runners=a1,c3\nb2: JUMP @0 | PAY 1 | WIN 2 | PAY 2\nb1: WIN 3 | PAY 1 | PAY 1 | PAY 1",
        "",
        {"use b2.nw"},
    ),
    ("n=2 runners=a1,c3 out=3,0 credits=10,9\nb2: THAW @0 | HACK @0 | WIN 2 | PAY 2", "", {"use b2.nw"}),
    ("n=2 runners=a1,c3 out=3,0 credits=20,9\nb2: THAW @0 | HACK @0 | WIN 2 | PAY 2", "", {"freeze"}),
    ("n=2 runners=a1,b1\na2: full\nc3: *ESCAPE @0 | PAY 1 | WIN 2 | PAY 2", "{2 2 2}", {"use c3.nw"}),
    (AT + "\na1: WIN 1 | PAY 1 | WIN 2 | PAY 2\nb2: TAX @1 | PAY 1 | WIN 2 | PAY 2", "node nw", {"pass"}),
    (AT + "\na1: WIN 1 | PAY 1 | WIN 2 | PAY 2\nb2: TAX @1 | PAY 1 | WIN 2 | PAY 2", "node sw", {"use b2.nw"}),
    (
        AT + "\na1: STEAL 2 | STEAL 1 | WIN 2 | PAY 2\nb2: SHIELD @1 | PAY 1 | WIN 2 | PAY 2",
        "node nw; steal +1",
        {"use b2.nw"},
    ),
    (
        AT + "\na1: STEAL 2 | STEAL 1 | WIN 2 | PAY 2\nb2: SHIELD @1 | PAY 1 | WIN 2 | PAY 2",
        "node ne; steal +1",
        {"pass"},
    ),
    (AT + "\na1: *PAY 1 | *PAY 2 | *WIN 1 | PAY 1\nb2: *REBOOT @1 | PAY 1 | WIN 2 | PAY 2", "", {"use b2.nw"}),
    ("n=2 runners=a1,c3\na2: full\nb1: *TOLL 2 @1 | PAY 1 | WIN 2 | PAY 2", "{1 5 6}", {"use b1.nw"}),
    ("n=3 at=bid", "", {"bid 1"}),
]


@pytest.mark.parametrize(("position", "played", "expected"), CASES)
def test_choices(position: str, played: str, expected: set[str]) -> None:
    assert chosen(Table(position).play(played)) == expected


def test_it_leaves_the_payment_to_others() -> None:
    table = Table(AT + "credits=9,9,5\na1: LEADER_PAYS 4 | PAY 3 | PAY 4 | PAY 5").play("node nw {1 6}")
    assert chosen(table) == {"payer +2"}


FOUR = "\na1: WIN 2 | STEAL 3 | PAY 1 | TAX"
MOVING = "n=2 runners=a1,c3\nc1: WIN 4 | PAY 1 | PAY 1 | PAY 1\nb2: WIN 1 | *PAY 1 | *PAY 1 | *PAY 1"
SHIELDED = "\na1: STEAL 2 | STEAL 1 | WIN 2 | PAY 2\nb2: SHIELD @1 | PAY 1 | WIN 2 | PAY 2"
HABITUAL = [
    ("contrary", "n=3 at=bid", "", {"bid 0", "bid 2", "bid 3", "bid 4", "bid 5"}),
    ("contrary", AT + "credits=10,5,5" + FOUR, "", {"node sw"}),
    ("bids-most", "n=3 at=bid", "", {"bid 5"}),
    ("bids-nothing", "n=3 at=bid", "", {"bid 0"}),
    ("own-credits", AT + "credits=10,9,9\na1: WIN 2 | LEADER_PAYS 9 | PAY 1 | TELEPORT", "", {"node nw"}),
    ("unseen-spiteful", AT + "credits=10,9,9\na1: WIN 9 | STEAL 3 | PAY 1 | TAX", "", {"node ne"}),
    ("hoards-markers", AT + "\na1: TAX | PAY 9 | HACK | *WIN 1", "", {"node ne"}),
    ("spends-markers", AT + "credits=10,5,5" + FOUR, "", {"node se"}),
    ("spends-markers", AT + "\na1: WIN 2 | STEAL 3 | PAY 1 | WIN 1", "", {"node ne"}),
    ("never-answers", AT + SHIELDED, "node nw; steal +1", {"pass"}),
    ("unseen-fills-tiles", MOVING, "{2 5 5}", {"move b2"}),
]


@pytest.mark.clause("PM-62")
@pytest.mark.parametrize(("habit", "position", "played", "expected"), HABITUAL)
def test_choices_by_habit(habit: str, position: str, played: str, expected: set[str]) -> None:
    assert chosen(Table(position).play(played), habit) == expected


def test_who_wanders_moves_anywhere() -> None:
    table = Table(MOVING).play("{2 5 5}")
    assert chosen(table, "unseen-wanders") == table.legal and len(table.legal) > 1


@pytest.mark.parametrize("habit", HABITS[1:])
def test_habits_are_greedy_before_the_roll(habit: str) -> None:
    for position, played, _ in CASES:
        table = Table(position)
        if not played and "roll" in table.legal:
            assert chosen(table, habit) == chosen(table), position
