"""Sets of slots and cards, and how observations show them, against plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from polytrix.core.bits import lowest, nth, size
from polytrix.games.pixel_tactics import entries
from polytrix.games.pixel_tactics.cards.cards import TYPES
from polytrix.games.pixel_tactics.state import LEADER_SLOT, SlotSet

from .obvious import members_of

WIDEST = 32


def some_sets() -> Iterator[int]:
    """All sets of one or two members, the full one, and random ones."""
    rng = random.Random(1)
    for a in range(WIDEST):
        for b in range(WIDEST):
            yield 1 << a | 1 << b
    yield (1 << WIDEST) - 1
    for _ in range(200):
        yield rng.getrandbits(WIDEST) & rng.getrandbits(WIDEST) | 1 << rng.randrange(WIDEST)


def test_size_and_members() -> None:
    assert size(0) == 0
    for some in some_sets():
        members = members_of(some)
        assert size(some) == len(members) and lowest(some) == members[0]
        assert [nth(some, k) for k in range(len(members))] == members


def test_four_sets_fill_four_blocks() -> None:
    rng = random.Random(2)
    for _ in range(100):
        cards = [rng.getrandbits(TYPES) for _ in range(4)]
        out = np.zeros(6 * TYPES, np.int8)
        entries.show_four_sets(*cards, out, TYPES)
        shown = [0, *cards, 0]
        assert [members_of(some) for some in shown] == [
            np.flatnonzero(block).tolist() for block in out.reshape(6, TYPES)
        ]
        assert out.max() <= 1


def test_each_hero_slot_has_a_byte() -> None:
    for slots in range(SlotSet.ALL + 1):
        numbers = np.frombuffer(entries.spread(slots).to_bytes(8, "little"), np.uint8)
        assert numbers.tolist() == [slots >> slot & 1 for slot in entries.HEROES_SHOWN]
    assert [entries.place_of(slot) for slot in entries.HEROES_SHOWN] == list(range(8))
    assert LEADER_SLOT not in entries.HEROES_SHOWN
