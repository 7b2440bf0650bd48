"""Actions and chance as text."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.viewers import SPECTATOR
from polytrix.games.pixel_tactics import GAME
from polytrix.games.pixel_tactics.notation import NAMES
from polytrix.play.known import may_know

from .positions import Table, placed

FIRST = {
    0: "pass", 1: "draw", 2: "recruit Alchemist a", 33: "recruit Knight b", 76: "recruit Witch c",
    77: "melee Va", 81: "melee L", 86: "ranged Va", 95: "power Va", 103: "power Rc", 104: "order Alchemist",
    108: "order DragonMage", 128: "order Witch", 129: "clear Va", 138: "move Va a", 162: "move Rc a",
    165: "own Va", 174: "foe Va", 178: "foe L", 183: "card Alchemist", 208: "amount 1", 217: "amount 10",
    218: "column a", 221: "row own V", 226: "row foe R",
}  # fmt: skip


def test_names_of_actions() -> None:
    assert {action: NAMES[action] for action in FIRST} == FIRST
    assert len(set(NAMES)) == GAME.actions.size == 227


def test_chance() -> None:
    table = Table(
        "R2 V / 0: L=Knight hand=Trapper deck=Gunner,Oracle / 1: L=Healer hand=Witch,Mystic,Fighter,Gunner"
    )
    table.act("order Trapper")
    assert [GAME.format_chance(table.s, k) for k in range(4)] == [
        f"lost 1 {card}" for card in ("Fighter", "Gunner", "Mystic", "Witch")
    ]
    with pytest.raises(IndexError, match="there are 4 cards"):
        GAME.format_chance(table.s, 4)
    for _ in range(3):
        table.happen(GAME.format_chance(table.s, 0).split()[-1])
    table.act("draw")
    assert [GAME.format_chance(table.s, k) for k in range(2)] == ["top 0 Gunner", "top 0 Oracle"]
    stolen = Table("R2 V / 0: L=Knight hand=Illusionist / 1: L=Healer hand=Witch,Fighter")
    stolen.act("order Illusionist")
    assert GAME.format_chance(stolen.s, 1) == "stolen 1 Witch"


@pytest.mark.clause("PT-103")
@pytest.mark.parametrize(
    ("position", "told"),
    [
        ("R2 V / 0: L=Knight deck=Gunner,Oracle / 1: L=Healer\n> draw", (True, False)),
        ("R2 V / 0: L=Knight deck=Gunner,Oracle / 1: L=Oracle\n> draw", (True, False)),  # the board tells
        ("R2 R / 0: L=Knight Ra=Trapper / 1: L=Healer hand=Witch,Fighter\n> power Ra", (True, True)),
        (
            "R2 V / 0: L=Knight hand=Illusionist / 1: L=Healer hand=Mascot,Fighter\n> order Illusionist",
            (True, True),
        ),
    ],
)
def test_a_player_is_told_what_his_view_tells(position: str, told: tuple[bool, bool]) -> None:
    s = placed(position).s
    assert tuple(may_know(GAME, s, 1, seat) for seat in (0, 1)) == told
    assert may_know(GAME, s, 0, None)


@pytest.mark.clause("PT-10")
def test_the_first_pick_is_not_told() -> None:
    s = placed("START\n~ Knight, Fighter, Gunner, Healer, Witch\n~ Oracle, Fighter, Gunner, Healer, Witch").s
    pick = GAME.parse_action(s, "card Knight")
    assert may_know(GAME, s, pick, 0) and not may_know(GAME, s, pick, 1)
    assert s.mover == 0 and np.all(s.leader == -1)


@pytest.mark.clause("PT-103")
def test_a_card_that_is_shown_is_told_to_all() -> None:
    cards = "hand=Scientist,Trapper known=Scientist,Trapper"
    table = Table(f"R2 F / 0: L=Knight Fa=Illusionist / 1: L=Healer {cards}")
    table.run(["> power Fa"])
    s = table.s.copy()
    action = GAME.parse_action(s, "card Scientist")
    for viewer in (0, 1, SPECTATOR):
        assert not GAME.secret(s, action, viewer)
    table.run(["> card Scientist"])
    assert "Scientist" in " ".join(GAME.tell(s, action, table.s, 1 - s.mover))
