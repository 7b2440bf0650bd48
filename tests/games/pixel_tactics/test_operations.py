"""Each operation of the vocabulary is one of a card, so that a position of its effect tests it."""

from __future__ import annotations

from polytrix.games.pixel_tactics.cards.cards import OPERATIONS
from polytrix.games.pixel_tactics.cards.effects import Operation


def test_each_operation_is_one_of_a_card() -> None:
    assert set(OPERATIONS[..., 0].flat) == set(Operation) == set(range(len(Operation)))
