"""Which card each chance outcome stands for, in decks of any cards, against a list of all of them."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.games.resistor import cards
from polytrix.games.resistor.state import Place

from .obvious import TOKENS
from .play import Board


def decks() -> list[list[int]]:
    """The cards of some decks: of one card, of all cards, and of any cards."""
    rng = np.random.default_rng(8)
    some = [np.flatnonzero(rng.random(50) < share).tolist() for share in (0.1, 0.3, 0.6, 0.9)]
    return [[0], [7], [8], [49], [*range(50)], *some]


@pytest.mark.clause("RS-12")
@pytest.mark.parametrize("deck", decks())
def test_outcomes_of_a_draw(deck: list[int]) -> None:
    listed = [(card, side) for card in deck for side in (0, 1)]
    for outcome, (card, side) in enumerate(listed):
        s = Board().state
        s.deck = sum(1 << each for each in deck)
        cards.draw(s, Place.DRAWN, outcome)
        assert (s.card[Place.DRAWN], s.side[Place.DRAWN]) == (card, side)
        assert s.deck == sum(1 << each for each in deck if each != card)


@pytest.mark.clause("RS-10")
@pytest.mark.parametrize("deck", decks())
def test_outcomes_for_the_row(deck: list[int]) -> None:
    sides = [(card, side) for card in deck for side in (0, 1) if "*" not in TOKENS[card][side]]
    s = Board().state
    s.deck = sum(1 << each for each in deck)
    assert cards.count_layable(s) == len(sides)
    for outcome, (card, side, turned) in enumerate((*face, turned) for face in sides for turned in (0, 1)):
        s = Board().state
        s.deck = sum(1 << each for each in deck)
        cards.lay(s, 2, outcome)
        assert (s.card[2], s.side[2], s.turned[2]) == (card, side, turned)
        assert s.deck == sum(1 << each for each in deck if each != card)
