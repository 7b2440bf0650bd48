"""The invariants hold in all positions of the files; `broken_positions.txt` has states that break them."""

from __future__ import annotations

from itertools import pairwise

from polytrix.core.state import OVER
from polytrix.games.pixel_tactics import GAME
from tests.games.planted import broken

from .positions import CARD, POSITIONS, Table, positions_of

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


def test_no_order_is_within_itself() -> None:
    s = (
        Table("R2 R / 0: L=Healer Ra=Alchemist / 1: L=Healer Va=Witch Vb=Oracle Vc=Mystic")
        .run(["> power Ra; foe Va"])
        .s
    )
    s.stack[1] = s.stack[0]
    s.depth = 2
    assert "within itself" in broken(GAME, s)
    s.stack[1].card = CARD["Trapper"]
    assert not broken(GAME, s)


def test_a_game_that_is_cut_off_is_over_without_a_result() -> None:
    s = Table("R2 V / 0: L=Healer Va=Fighter / 1: L=Healer Va=Paladin Rc=Knight").s
    s.truncated, s.mover = 1, OVER
    assert not broken(GAME, s)
    s.result = 1
    assert "the game is over" in broken(GAME, s)
