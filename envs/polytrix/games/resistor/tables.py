"""The deck as arrays: everything that the rules ask about a card.

A face is read from Red's end, near = toward Red. A card lies straight (0, `+`: the left edge
of the arrow-up face toward Red) or turned by 180 degrees (1, `-`). Blue's reading of a
card is Red's reading of the same card turned once more. So an array has a seat only if it tells own from enemy.

Within a card, sets of chips have four bits: near 0, near 1, far 0, far 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.core.constants import Constants

from .deck import CARDS, STANDARD, Card, Face, Seat, shipped_deck
from .state import NONE

FACE_SIZE = 18
"""Entries that describe a face in the observation: known; diamond; own lines 0-0, 0-1, 1-0, 1-1 (near-far);
enemy lines; own stubs near 0, near 1, far 0, far 1; enemy stubs."""

Bytes = npt.NDArray[np.uint8]


class Entry(Constants):
    """The first entry of each sort in a face; the enemy's lines and stubs follow four later."""

    KNOWN, DIAMOND, LINES, STUBS = 0, 1, 2, 10


STRAIGHT = 0b1001_1001
"""The pairs of straight lines of both colours. NONE has them: behind the row, chains run on at no cost."""


def lying(card: int, side: int, turned: int) -> int:
    """A number for a card and how it lies, as an index. NONE, which is -1, has the first four."""
    return 4 * (int(card) + 1) + 2 * int(side) + int(turned)


TURN, TURN_OVER, FLIP = 0b01, 0b10, 0b11
"""The bits of that number that change with a half turn, the other side, or both, as in a flip."""
NO_FACE = lying(NONE, 0, 0)


class Tables(NamedTuple):
    """One array for each question. Axes: card, side (a, b), turned (0, 1), colour or seat."""

    diamond: Bytes  # [card, side]: 1 if it shows a diamond
    resistor: Bytes  # [card]: 1 if either side does
    colours: Bytes  # [card, side]: bit c if it has a line of colour c
    touched: Bytes  # [card, side, turned, colour]: the chips at which its lines end
    linked: Bytes  # [card, side, turned, colour, set of chips]: the set and all chips connected with it
    pairs: Bytes  # [seat, lying]: bit 2 * near + far if own lines connect these chips; enemy lines four later
    entries: Bytes  # [seat, lying, entry]: 1 for the entries of the face; none for NONE
    face: Bytes  # [card, side]: number of the face; equal faces have equal numbers
    faces: Bytes  # [face]: a count, then 2 * card + side wherever that face occurs
    kind: Bytes  # [seat, card]: which entry of the seat's `discards` counts it
    kinds: Bytes  # [0]: how many entries that block has
    settings: Bytes  # [Setting]: the size of the game, see `deck.settings_of`


def make_tables(deck: Sequence[Card], settings: Sequence[int] = STANDARD) -> Tables:
    """The arrays for a deck of at most fifty cards, and a game with these settings."""
    faces = list(dict.fromkeys(chain.from_iterable(card.faces for card in deck)))
    tables = Tables(
        diamond=_each_side(deck, lambda face: face.diamond),
        resistor=np.array([card.is_resistor for card in deck], np.uint8),
        colours=_each_side(deck, lambda face: sum(1 << colour for colour in _hues(face))),
        touched=np.zeros((CARDS, 2, 2, 2), np.uint8),
        linked=np.zeros((CARDS, 2, 2, 2, 16), np.uint8),
        pairs=np.zeros((2, 4 * (CARDS + 1)), np.uint8),
        entries=np.zeros((2, 4 * (CARDS + 1), FACE_SIZE), np.uint8),
        face=_each_side(deck, faces.index),
        faces=np.zeros((len(faces), 1 + 2 * CARDS), np.uint8),
        kind=np.zeros((2, CARDS), np.uint8),
        kinds=np.zeros(1, np.uint8),
        settings=np.array(settings, np.uint8),
    )
    for number, card in enumerate(deck):
        for side, face in enumerate(card.faces):
            add_to_list(tables.faces[tables.face[number, side]], 2 * number + side)
            for turned in range(2):
                for colour in (Seat.RED, Seat.BLUE):
                    groups = connected_groups(face, turned, colour)
                    tables.touched[number, side, turned, colour] = union(groups)
                    linked = [grown(chips, groups) for chips in range(16)]
                    tables.linked[number, side, turned, colour] = linked
                    pairs = linked[0b01] >> 2 | linked[0b10] >> 2 << 2
                    lies = lying(number, side, turned)
                    tables.pairs[colour, lies] |= pairs
                    tables.pairs[1 - colour, lies] |= pairs << 4
                    tables.entries[colour, lies, face_entries(face, turned, own=colour)] = 1
    tables.pairs[:, : lying(0, 0, 0)] = STRAIGHT
    kinds = _kinds(deck)
    tables.kinds[0] = len(kinds)
    tables.kind[Seat.RED, : len(deck)] = [kinds.index(card.kind) for card in deck]
    tables.kind[Seat.BLUE, : len(deck)] = [kinds.index(card.exchanged().kind) for card in deck]
    return tables


def _each_side(deck: Sequence[Card], value: Callable[[Face], int]) -> Bytes:
    return np.array([[value(face) for face in card.faces] for card in deck], np.uint8)


def _hues(face: Face) -> set[int]:
    """The colours of a face's lines."""
    return {line[0] for line in chain(face.lines, face.stubs)}


def add_to_list(row: Bytes, value: int) -> None:
    """Append to an array that begins with the number of values in it."""
    row[0] += 1
    row[row[0]] = value


def near_far_lines(face: Face, turned: int, colour: int) -> list[tuple[int, int]]:
    """The lines of a colour as (near chip, far chip) (RS-04)."""
    lines = [(left, right) for hue, left, right in sorted(face.lines) if hue == colour]
    return [(1 - right, 1 - left) for left, right in lines] if turned else lines


def stub_chips(face: Face, turned: int, colour: int) -> list[int]:
    """The chips of a card, 0..3, at which stubs of a colour begin (RS-04)."""
    chips = [chip + 2 * (side == "R") for hue, side, chip in sorted(face.stubs) if hue == colour]
    return [3 - chip for chip in chips] if turned else chips


def connected_groups(face: Face, turned: int, colour: int) -> list[int]:
    """The sets of chips that each line of a colour connects; all stubs of a colour meet (RS-07)."""
    groups = [1 << near | 1 << (2 + far) for near, far in near_far_lines(face, turned, colour)]
    stubs = sum(1 << chip for chip in stub_chips(face, turned, colour))
    return [*groups, stubs] if stubs else groups


def union(groups: Sequence[int]) -> int:
    """All chips of some sets."""
    together = 0
    for group in groups:
        together |= group
    return together


def grown(chips: int, groups: Sequence[int]) -> int:
    """A set of chips with all that the groups connect with it, also through one another."""
    larger = chips | union([group for group in groups if group & chips])
    return larger if larger == chips else grown(larger, groups)


def face_entries(face: Face, turned: int, own: int) -> list[int]:
    """The entries of a face in an observation, as the seat of colour `own` reads it."""
    entries = [Entry.KNOWN, *([Entry.DIAMOND] if face.diamond else [])]
    for colour in (Seat.RED, Seat.BLUE):
        shift = 4 * (colour != own)
        entries += [Entry.LINES + shift + 2 * near + far for near, far in near_far_lines(face, turned, colour)]
        entries += [Entry.STUBS + shift + chip for chip in stub_chips(face, turned, colour)]
    return sorted(entries)


def _kinds(deck: Sequence[Card]) -> list[frozenset[Face]]:
    """The kinds of cards by first appearance, then their colour exchanges that are not in the deck."""
    return list(dict.fromkeys([card.kind for card in deck] + [card.exchanged().kind for card in deck]))


SHIPPED = make_tables(shipped_deck())
DIAMOND, RESISTOR, HUES, TOUCHED, LINKED, PAIRS, ENTRIES, FACE, FACES, KIND, KINDS, SETTINGS = SHIPPED


# -- tables for any deck --------------------------------------------------------------------


def _fronts_beyond() -> Bytes:
    """[pairs of a card, fronts near it]: the fronts far of it, + 16 if own chains leave it out, + 128 enemy."""
    pairs, fronts = np.ogrid[:256, :16]
    beyond = np.zeros((256, 16), np.int64)
    for colour, left_out in ((0, 16), (1, 128)):
        lines, front = pairs >> 4 * colour & 15, fronts >> 2 * colour & 3
        reached = (front & 1) * (lines & 3) | (front >> 1) * (lines >> 2)
        beyond += np.where(reached > 0, reached << 2 * colour, left_out + (3 << 2 * colour))
    return beyond.astype(np.uint8)


def _pairs_between() -> Bytes:
    """[fronts near a card, fronts far of it]: all pairs of their chips."""
    near, far = np.ogrid[:16, :16]
    between = np.zeros((16, 16), np.int64)
    for colour, chip in np.ndindex(2, 2):
        between |= (near >> 2 * colour + chip & 1) * (far >> 2 * colour & 3) << 4 * colour + 2 * chip
    return between.astype(np.uint8)


BEYOND = _fronts_beyond()
BEFORE = BEYOND[[pairs & 0x99 | (pairs & 0x22) << 1 | (pairs & 0x44) >> 1 for pairs in range(256)]]
"""The same with near and far exchanged."""
BETWEEN = _pairs_between()
