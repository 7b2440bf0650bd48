"""Observations and knowledge of the seats: RS-12, RS-13 and RS-62 to RS-65.

In games of all option sets, against two watchers at the obvious table, who remember every side they have seen.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from polytrix.games.resistor import GAME

from .obvious import PHASES, Card, Table
from .obvious_observation import observation
from .side_by_side import play, views

clause = pytest.mark.clause

SEATS = (0, 1)


@clause("RS-12", "RS-13", "RS-22", "RS-62", "RS-63", "RS-64", "RS-65")
@pytest.mark.parametrize(("rigged", "games"), [(False, 1), (True, 3)], ids=["from the start", "rigged"])
def test_flags_and_observations_are_what_the_watchers_have_seen(rigged: bool, games: int) -> None:
    """All 758 entries for both seats, chance and set-up included; a third of the common events are enough."""
    looked_at: Counter[str] = Counter()
    rng = np.random.default_rng(3)
    for states, tables in play(games, seed=17, rigged=rigged):
        for seat in SEATS:
            for s, table, seen in zip(states, tables, views(states, seat)[0], strict=True):
                if table.phase in ("ACT", "TRASH", "TAKE", "DEAL") and rng.random() > 1 / 3:
                    continue
                expected = observation(table, seat)
                assert seen.tobytes() == expected.tobytes(), GAME.observations.describe(seen - expected)
                looked_at[table.phase] += 1
                for card, flags in zip(placed(table), s.known.tolist(), strict=True):
                    assert (flags >> seat & 1) == (card is not None and card.knows(seat))
    assert {*looked_at} >= {*PHASES} - {"TIE", "LAY", "DEAL", "RESOLVE"}
    assert looked_at["REDRAW"] > 50


def placed(table: Table) -> list[Card | None]:
    """The cards by place, as the record numbers them."""
    row = [*table.row, *[None] * (7 - len(table.row))]
    return [*row, *table.hands[0], *table.hands[1], table.drawn]
