"""Heroes and corpses move with their damage and marks."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from polytrix.games.pixel_tactics.board.units import exchange, lift
from polytrix.games.pixel_tactics.state import SLOTS

from .obvious import LEADER, has
from .positions import MARKS, Table

SETS = ("heroes", "corpses", "captives", *MARKS.values())
NUMBERS = ("card", "damage", "boost")
POSITION = (
    "R2 V / 0: L=Knight Va=Fighter*3+5!ah Vb=x.Oracle!f Fa=~Witch*1!ms Rc=Gunner+2!afmhs "
    "/ 1: L=Healer Va=Fighter*3+5!ah Vb=x.Oracle!f Fa=~Witch*1!ms Rc=Mystic!s"
)


def contents(s: Any, u: int) -> list[tuple[int, ...]]:
    """The content of each slot of a unit."""
    return [
        (*(int(s[name][u, slot]) for name in NUMBERS), *(has(s[name][u], slot) for name in SETS))
        for slot in range(SLOTS)
    ]


@pytest.mark.clause("PT-105")
@pytest.mark.parametrize("u", [0, 1])
def test_an_exchange_takes_everything_along(u: int) -> None:
    start = Table(POSITION).s
    heroes = [slot for slot in range(SLOTS) if slot != LEADER]
    for a, b in product(heroes, heroes):
        s = start.copy()
        wanted = contents(s, u)
        wanted[a], wanted[b] = wanted[b], wanted[a]
        exchange(s, u, a, b)
        assert contents(s, u) == wanted and contents(s, 1 - u) == contents(start, 1 - u)


@pytest.mark.clause("PT-104")
@pytest.mark.parametrize("slot", [0, 1, 3, 8])
def test_who_leaves_leaves_nothing_behind(slot: int) -> None:
    s = Table(POSITION).s
    wanted = contents(s, 0)
    wanted[slot] = contents(s, 0)[2]
    lift(s, 0, slot)
    assert contents(s, 0) == wanted and wanted[2] == (-1, 0, 0, *[False] * len(SETS))
