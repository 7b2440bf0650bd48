"""Cards, gaps and gains in random positions, few of which occur in play, against rows laid out anew.

Any cards lie anywhere, diamonds up as well, in rows of all lengths; the seats know some of the other sides.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from polytrix.core.state import OVER
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import NONE, PLACES, ROW, Left, Phase, Place
from tests.games.by_hand import observed

from .obvious import BLUE, TOKENS, Card, Table
from .obvious_observation import held, laid, prospects
from .positions import Position

POSITIONS = 150


def scattered(rng: np.random.Generator) -> Any:
    """A record with cards at random."""
    s = Position().state
    s.length = rng.integers(1, ROW + 1)
    cards = rng.permutation(50)[:PLACES]
    cards[int(s.length) : ROW] = NONE
    cards[ROW:][rng.random(PLACES - ROW) < 0.1] = NONE
    s.phase = rng.choice([Phase.ACT, Phase.TRASH])
    if s.phase != Phase.TRASH:
        cards[Place.DRAWN] = NONE
    s.card[:], s.side[:], s.turned[:] = cards, rng.integers(0, 2, PLACES), rng.integers(0, 2, PLACES)
    s.known[:] = rng.integers(0, 4, PLACES) * (cards != NONE)
    s.lock[: int(s.length)] = rng.integers(0, 4, int(s.length))
    s.flipped = rng.integers(-1, int(s.length))
    s.left = rng.integers(0, 16)
    s.turn = rng.integers(0, 2)
    s.mover = rng.choice([0, 1, OVER])
    return s


def at_the_table(s: Any) -> Table:
    """The same position with cards that have been seen."""
    table = Table({option.name: False for option in GAME.options})
    places: list[Card | None] = []
    for place in range(PLACES):
        card = (
            Card(int(s.card[place]), int(s.side[place]), int(s.turned[place])) if s.card[place] >= 0 else None
        )
        for seat in (0, 1):
            if card and int(s.known[place]) >> seat & 1:
                card.seen[seat].update({0: 1, 1: 1})
        places.append(card)
    table.row = [card for card in places[:ROW] if card]
    table.hands, table.drawn = [places[ROW : ROW + 2], places[ROW + 2 : Place.DRAWN]], places[Place.DRAWN]
    for card, lock in zip(table.row, s.lock.tolist(), strict=False):
        card.locks.update(seat for seat in (0, 1) if lock >> seat & 1)
    table.undoable = table.row[int(s.flipped)] if s.flipped >= 0 else None
    table.turn, table.left = int(s.turn), {"S"} if int(s.left) & Left.SWITCH else set()
    table.phase = "OVER" if s.mover == OVER else "TRASH" if s.phase == Phase.TRASH else "ACT"
    table.look()
    return table


def test_cards_gaps_and_gains_are_those_of_rows_laid_out_anew() -> None:
    rng = np.random.default_rng(6)
    seen: Counter[str] = Counter()
    for _ in range(POSITIONS):
        s = scattered(rng)
        table = at_the_table(s)
        for seat in (0, BLUE):
            blocks = GAME.observations.view(observed(GAME, s, seat))
            found = [*blocks["gaps"].ravel(), *blocks["flip_gains"].ravel(), *blocks["put_gains"].ravel()]
            assert found == prospects(table, seat), GAME.text(s, seat)
            row = table.row if seat != BLUE else table.row[::-1]
            hands = [*table.hands[seat], *table.hands[1 - seat]]
            padded = [*row, *[None] * (ROW - len(row))]
            assert blocks["row"].tolist() == [laid(table, card, seat) for card in padded]
            assert blocks["hand"].reshape(4, -1).tolist() == [held(card, seat) for card in hands]
            assert blocks["drawn"].tolist() == held(table.drawn, seat)
            seen["a line"] += bool(blocks["gaps"][:, 0].any())
            seen["better"] += int((blocks["put_gains"] == 1).sum())
            seen["worse"] += int((blocks["put_gains"] == -1).sum())
            seen["by a flip"] += int((blocks["flip_gains"] != 0).sum())
        seen["diamonds"] += sum("*" in TOKENS[card.number][card.side] for card in table.row if card)
    assert all(seen[kind] > 50 for kind in ("a line", "better", "worse", "by a flip", "diamonds")), seen
