"""Observations and knowledge of the seats: RS-12, RS-13 and RS-62 to RS-65.

In games of all option sets, against two watchers at the obvious table, who remember every side they have seen.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from polytrix.core.state import Seen
from polytrix.games.resistor import GAME
from polytrix.testing import check_public

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


BOUND = {
    "mover": "follows from the phase and whose turn it is",
    "num_players": "there are always two",
    "length": "it is the number of cards in the row",
    "pile_size": "it is the number of cards in the pile",
}
"""Public fields that cannot change alone, and why."""


def test_everything_public_that_can_change_alone_is_seen() -> None:
    changed = check_public(GAME, {"lock_down": True, "comeback_circuits": True}, games=12, decisions=80)
    assert {name for name, count in changed.items() if not count} == BOUND.keys()


def test_what_is_decided_is_seen_while_the_game_goes_on() -> None:
    """Once it is over nothing is, so these fields are not declared public; none of these games ends."""
    shown = {"phase", "turn", "left"}
    fields = [replace(field, seen=Seen.PUBLIC) if field.name in shown else field for field in GAME.fields]
    changed = check_public(replace(GAME, fields=fields), {"lock_down": True}, games=12, decisions=30)
    assert changed["left"]
    assert not changed["phase"] and not changed["turn"]  # what lies on the table, and the mover, fit one only
