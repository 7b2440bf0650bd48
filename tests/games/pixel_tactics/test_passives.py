"""Strength, reach and life from cards in play equal those of a slow, obvious model."""

from __future__ import annotations

import pytest

from polytrix.games.pixel_tactics.board import passives
from polytrix.games.pixel_tactics.board.units import front
from polytrix.games.pixel_tactics.state import NONE, SLOTS, Damage

from .obvious import LEADER, Field, has
from .positions import Table
from .random_positions import random_positions

NOBODY = NONE


@pytest.mark.clause("PT-06", "PT-08", "PT-13", "PT-40", "PT-43", "PT-44", "PT-46", "PT-76")
@pytest.mark.parametrize("seed", range(8))
def test_members_are_what_their_unit_makes_of_them(seed: int) -> None:
    for text in random_positions(seed):
        s = Table(text).s
        field = Field(s)
        for u in (0, 1):
            for slot in range(SLOTS):
                place = (u, slot)
                shoots = slot == LEADER and field.leader_card(u).get("ranged", False)
                wanted = (
                    shoots or field.gives("RANGED", place),
                    field.gives("INTERCEPT", place),
                    field.front(place),
                )
                sets = (passives.ranged(s, u), passives.intercepting(s, u), front(s, u))
                assert tuple(has(found, slot) for found in sets) == wanted, (place, text)
                if place in field.members:
                    assert passives.life(s, u, slot) == field.life(place), (place, text)
                    strength = passives.strength(s, u, slot, NOBODY, Damage.MELEE)
                    assert strength == field.melee_strength(place), (place, text)


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
