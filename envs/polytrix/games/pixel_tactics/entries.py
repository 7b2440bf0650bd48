"""Sets of slots or cards as entries of observations.

Entries are bytes. Bits are looked up eight at a time, so that eight entries are written at once.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.state import ByteArray, IntArray

from .cards.cards import TYPES
from .state import LEADER_SLOT, SlotSet

HEROES_SHOWN = (0, 1, 2, 3, 5, 6, 7, 8)
"""Hero slots, in the order of the blocks."""

BITS: ByteArray = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.int8)
"""[number]: its eight bits, the lowest first. Entries are copied, eight or four at a time."""


def offset(number: int) -> int:
    """The same number, from 0 to 65,535: as an index it needs no test for counting from the end."""
    return number & 0xFFFF


def show_bits(number: int, out: ByteArray, at: int) -> None:
    """Write the eight lowest bits of a number."""
    at = offset(at)
    for i in range(8):
        out[at + i] = BITS[number & 255, i]


def show_four_bits(number: int, out: ByteArray, at: int) -> None:
    """Write the four lowest bits of a number."""
    at = offset(at)
    for i in range(4):
        out[at + i] = BITS[number & 15, i]


def show_set(cards: int, out: ByteArray, at: int) -> None:
    """Write a set of cards."""
    at = offset(at)
    show_bits(cards, out, at)
    show_bits(cards >> 8, out, at + 8)
    show_bits(cards >> 16, out, at + 16)
    out[at + 24] = cards >> 24 & 1


def show_four_sets(a: int, b: int, c: int, d: int, out: ByteArray, at: int) -> None:
    """Write the sets of four successive blocks."""
    show_set(a, out, at)
    show_set(b, out, at + TYPES)
    show_set(c, out, at + 2 * TYPES)
    show_set(d, out, at + 3 * TYPES)


# -- slots ------------------------------------------------------------------------------------------


def place_of(slot: int) -> int:
    """The index of a hero slot in the blocks."""
    return slot - int(slot > LEADER_SLOT)


SPREAD: IntArray = np.array(
    [
        sum((slots >> slot & 1) << 8 * place for place, slot in enumerate(HEROES_SHOWN))
        for slots in range(SlotSet.ALL + 1)
    ],
    np.int64,
)
"""[slots]: a number with a byte for each hero slot: 1 if it is a member."""


def spread(slots: int) -> int:
    """The entry of `SPREAD`."""
    return int(SPREAD[slots & SlotSet.ALL])
