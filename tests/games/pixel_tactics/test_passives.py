"""Strength and reach from cards in play; all that observations show of them, `test_observation.py` compares."""

from __future__ import annotations

import pytest

from polytrix.games.pixel_tactics.board import passives
from polytrix.games.pixel_tactics.state import Damage

from .obvious import LEADER, has
from .positions import Table


@pytest.mark.clause("PT-43")
@pytest.mark.parametrize("card", ["Planestalker", "Gunner", "Trapper"])
def test_who_shoots_already_shoots_behind_one_who_lets_it_shoot(card: str) -> None:
    s = Table(f"R2 R / 0: L=Knight Fa={card} Ra=Pyromancer Rc=DragonMage / 1: L=Healer").s
    assert has(passives.ranged(s, 0), 6) and has(passives.ranged(s, 0), 8)


@pytest.mark.clause("PT-47")
def test_guards_do_not_make_an_attack_heal() -> None:
    s = Table("R2 V / 0: L=Knight / 1: L=Knight Va=Alchemist Vb=Witch").s
    for slot, guarded in ((0, 3), (1, 1), (LEADER, 1)):
        assert passives.guard(s, 1, slot) == guarded
        for strength in range(6):
            assert passives.reduced(s, 1, slot, Damage.MELEE, strength) == max(0, strength - guarded)
