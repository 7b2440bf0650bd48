"""The invariants hold in all positions of the files, and notice states that break them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from polytrix.core.state import CHANCE, OVER
from polytrix.games.pixel_tactics import GAME
from tests.games.planted import broken

from .positions import CARD, POSITIONS, placed, positions_of

UNREACHABLE = ("M06", "M07")
"""Positions of a ninth match in which nobody has won a trophy: ties give trophies, too (PT-115)."""


def test_in_all_positions_of_the_files() -> None:
    seen = 0
    for name, _, lines in POSITIONS:
        if name not in UNREACHABLE:
            for before, after in pairwise(table.s.copy() for table in positions_of(lines)):
                assert not broken(GAME, after, before)
                seen += 1
    assert seen > 250


PLACED = {
    "a unit": "R4 F / 0: L=Knight*3 Va=Fighter*2!a Fa=x.Oracle Vc=Homunculus*1 Rb=~Witch "
    "hand=Mystic,Gunner,Healer / 1: L=Trapper Va=Assassin Rc=x.Vampire hand=Scientist disc=Summoner",
    "the first card": "START",
    "leaders": "START\n~ Witch, Oracle, Mystic, Fighter, Gunner, Witch, Oracle, Mystic, Fighter, Gunner",
    "the coin": """START
        ~ Witch, Oracle, Mystic, Fighter, Gunner, Witch, Oracle, Mystic, Fighter, Gunner
        > card Witch; card Mystic""",
    "a turn": "R2 R / 0: L=Knight Va=Fighter Ra=Alchemist Rb=x.Witch hand=Mystic / 1: L=Healer Va=Oracle",
    "a pick": """R2 R / 0: L=Healer Ra=Alchemist / 1: L=Healer Va=Witch Vb=Oracle Vc=Mystic
        > power Ra; foe Va""",
    "an order": """R2 R / 0: L=Knight Ra=Mystic / 1: L=Healer
        > power Ra
        ~ Oracle""",
    "the second match": """R3 R seat=1 best_of=3 / 0: L=Knight / 1: L=Healer*15
        > pass""",
    "nothing after the last round": """R3 R seat=1 max_rounds=3 level=1:0 / 0: L=Priestess / 1: L=Healer
        > pass""",
    "nothing any more": """R3 R seat=1 / 0: L=Knight / 1: L=Healer*15
        > pass""",
    "a shield": """R2 V / 0: L=Healer Va=Fighter / 1: L=Healer Va=Paladin Rc=Knight
        > melee Va; foe Va""",
}

WRONG = [
    ("a unit", "deck[0]", 0, "25 cards"),
    ("a unit", "hand[0]", 1 << CARD["Summoner"], "25 cards"),
    ("a unit", "card[0][0]", CARD["Homunculus"], "25 cards"),
    ("a unit", "card[1][8]", CARD["Witch"], "25 cards"),
    ("a unit", "card[1][6]", CARD["Paladin"], "a hero slot"),
    ("a unit", "card[0][0]", -1, "a hero slot"),
    ("a unit", "corpses[0]", 0b1001, "a hero slot"),
    ("a unit", "captives[1]", 1 << 8, "captives are heroes"),
    ("a unit", "known[1]", 1 << CARD["Knight"], "cards of the hand"),
    ("a unit", "fixed[0]", 1, "on top of a deck"),
    ("a unit", "in_play[0]", 1 << CARD["Knight"], "25 cards"),
    ("a unit", "drawn", CARD["Mystic"], "has the turn"),
    ("a unit", "depth", 1, "has the turn"),
    ("a unit", "damage[0][3]", 1, "damage and marks"),
    ("a unit", "boost[0][3]", 1, "damage and marks"),
    ("a unit", "hurt[1]", 1 << 8, "damage and marks"),
    ("a unit", "struck[1]", 1 << 8, "damage and marks"),
    ("a unit", "acted[0]", 1 << 8, "damage and marks"),
    ("a unit", "moved[0]", 1 << 8, "damage and marks"),
    ("a unit", "decision", 0, "more than one legal action"),
    ("a unit", "mover", 1, "more than one legal action"),
    ("a unit", "mover", CHANCE, "hand of a seat"),
    ("a unit", "round_number", 31, "follow each other"),
    ("a unit", "round_number", 3, "follow each other"),
    ("a unit", "wave", 0, "follow each other"),
    ("a unit", "active", 1, "a seat that is asked"),
    ("a unit", "trophies[1]", 1, "a trophy"),
    ("a unit", "out[0]", 1, "25 cards"),
    ("a unit", "result", 1, "the game is over"),
    ("a unit", "mover", OVER, "the game is over"),
    ("leaders", "revealed", 1, "face down"),
    ("leaders", "damage[0][4]", 1, "opening hands"),
    ("leaders", "trophies[0]", 1, "opening hands"),
    ("leaders", "offer", 3, "more than one legal action"),
    ("the coin", "leader[0]", -1, "face down"),
    ("the first card", "chance_kind", 3, "chance more than"),
    ("the first card", "decision", 1, "a seat that is asked"),
    ("the first card", "chance_seat", -1, "hand of a seat"),
    ("a unit", "chance_kind", 1, "hand of a seat"),
    ("leaders", "phase", 0, "their phases"),
    ("a turn", "phase", 5, "their phases"),
    ("the second match", "trophies[0]", 0, "a trophy"),
    ("nothing after the last round", "result", 0, "the board says"),
    ("nothing after the last round", "round_number", 2, "follow each other"),
    ("nothing any more", "mover", 0, "the game is over"),
    ("nothing any more", "trophies[0]", 2, "a trophy"),
    ("nothing any more", "result", 1, "a trophy"),
    ("nothing any more", "damage[1][4]", 14, "the board says"),
]


def put(s: Any, path: str, value: int) -> None:
    """Write one number, named like `stack[1].amounts[0]`."""
    *way, last = re.findall(r"\w+", path)
    for step in way:
        s = s[int(step) if step.isdigit() else step]
    s[int(last) if last.isdigit() else last] = value


@pytest.mark.clause("PT-01", "PT-02", "PT-04", "PT-07", "PT-76", "PT-94", "PT-98", "PT-101", "PT-103")
@pytest.mark.parametrize(("position", "path", "value", "what"), WRONG)
def test_each_is_noticed(position: str, path: str, value: int, what: str) -> None:
    before = placed(PLACED[position]).s
    assert not broken(GAME, before)
    s = before.copy()
    put(s, path, value)
    assert what in broken(GAME, s, before)


def test_no_order_is_within_itself() -> None:
    s = placed(PLACED["a pick"]).s
    s.stack[1] = s.stack[0]
    s.depth = 2
    assert "within itself" in broken(GAME, s)
    s.stack[1].card = CARD["Trapper"]
    assert not broken(GAME, s)


def test_a_game_that_is_cut_off_is_over_without_a_result() -> None:
    s = placed(PLACED["a shield"]).s
    s.truncated, s.mover = 1, OVER
    assert not broken(GAME, s)
    s.result = 1
    assert "the game is over" in broken(GAME, s)
