"""Redeals are exactly uniform over all deals with the same observation."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from polytrix.core.state import RecordArray
from polytrix.games.resistor import GAME
from tests.chi_square import is_like
from tests.games.samples import redealt

from .obvious import TOKENS
from .obvious_row import shipped_content
from .positions import Position
from .side_by_side import open_places, shows

clause = pytest.mark.clause

Deal = tuple[tuple[int, int], ...]
"""Card and visible side at each open place, in the order of the places."""


def deals(s: Any, seat: int) -> set[Deal]:
    """Every deal, by brute force: all choices of cards and sides for the open places."""
    places = open_places(s, seat)
    pool = [card for card in range(50) if int(s.deck) >> card & 1] + [int(s.card[p]) for p in places]
    faces = [{*TOKENS[s.card[p]][shows(s, p, seat)]} for p in places]
    fitting = [[(c, side) for c in pool for side in (0, 1) if {*TOKENS[c][side]} == face] for face in faces]
    return {deal for deal in product(*fitting) if len({card for card, _ in deal}) == len(deal)}


def deal_of(s: Any, seat: int) -> Deal:
    return tuple((int(s.card[p]), shows(s, p, seat)) for p in open_places(s, seat))


def counted(states: RecordArray, seat: int) -> Counter[Deal]:
    """How often each deal occurs."""
    _, firsts, counts = np.unique(
        np.concatenate([states["card"], states["side"]], axis=1), axis=0, return_index=True, return_counts=True
    )
    return Counter({deal_of(states[i], seat): int(n) for i, n in zip(firsts, counts, strict=True)})


POSITIONS: dict[str, tuple[str | None, str]] = {
    "one underside": ("row 42a+ 20b+ 21b+; deck 44 46 1 3", ""),
    "a face that exists once": ("row 40a+ 36a+; R 38a 39a; deck 42 44", ""),
    "two that share cards": ("row 42a+ 44b- 20b+; deck 46 28 4 45", ""),
    "three in the same few cards": ("row 48a+ 18b+ 26b-; R 20a 21a; B 40a 41a; deck 46 29", ""),
    "a drawn card": ("row 42a+ 44b- 20b+; deck 46 28 4 45", "D[45b]"),
    "some flags": ("row 42a+ 44b- 20b+; know 42:B 44:R 20:RB 36:R; deck 46 28 4 45 38", ""),
    "cards with both faces in the pool": ("row 48a+ 28b+ 20b+; deck 29 44 45 19", ""),
    "diamonds in hands": ("row 42a+ 20b+; R 0a 3a; B 1b 2b; deck 4 5 44", ""),
    "equal cards": ("row 22a+ 42a+; deck 24 44 23 25", ""),
    "an undo": ("row 42a+ 20b+; deck 44 46; lv 2/1; opt comeback_circuits", "F2"),
    "the end": ("row 42a+ 44b- 20b+; deck 46; left D", "D[46a] T-"),
    "the set-up": (None, "40a+ 42a- 36a+"),
    "a replaced centre": (None, "40a+ 2b+ 14b- 49b+ 3b+ 15b- 41a+ 12a 13a 8a 9a"),
}


def placed(name: str) -> Position:
    """A position, or a fresh game in which chance has dealt some cards."""
    text, then = POSITIONS[name]
    table = Position(text)
    if text is not None:
        return table.play(then)
    for card in then.split():
        table.draw(card)
    return table


@clause("RS-62", "RS-63")
@pytest.mark.parametrize("seat", [0, 1], ids=["red", "blue"])
@pytest.mark.parametrize("name", POSITIONS)
def test_every_deal_is_equally_likely(name: str, seat: int) -> None:
    s = placed(name).state
    expected = deals(s, seat)
    assert deal_of(s, seat) in expected
    assert len(expected) <= 400  # else there are too few samples for each
    states = redealt(GAME, s, seat)
    assert not states["sketch"].any()  # nothing that was tried is left
    found = counted(states, seat)
    assert is_like(found, dict.fromkeys(expected, 1)), (
        len(expected),
        found.most_common(3),
        found.most_common()[-3:],
    )


@clause("RS-62")
def test_a_card_with_two_equal_sides_counts_twice() -> None:
    """In another deck: card 42 shows one red straight on either side, and so could lie there in two ways."""
    content = shipped_content()
    content["cards"][42] = ["ST.r", "ST.r"]
    game = GAME.with_data(deck=content)
    s = Position("row 44a+ 20b+ 21b+; pile 46; deck 42 45 47").state
    found: Counter[Deal] = Counter()
    for _ in range(900):
        game.redeal(s, 0)
        found[((int(s.card[0]), int(s.side[0])),)] += 1
    assert is_like(found, dict.fromkeys([((44, 0),), ((42, 0),), ((42, 1),)], 1))
