"""Every effect of a card has a worked position, and every operation is one of an effect."""

from __future__ import annotations

from polytrix.games.pixel_tactics.cards.cards import CARDS, OPERATIONS
from polytrix.games.pixel_tactics.cards.effects import Operation

from .positions import EFFECTS


def test_every_effect_has_a_position() -> None:
    assert {name for name, *_ in EFFECTS} == {f"{card.code}-{letter}" for card in CARDS for letter in "VFROL"}


def test_every_operation_is_one_of_an_effect() -> None:
    assert set(OPERATIONS[..., 0].flat) == set(Operation) == set(range(len(Operation)))
