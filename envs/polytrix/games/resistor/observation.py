"""Observations: the layout, the cards as the seat has seen them, and the gaps and gains.

The *gap* of a colour is the least number of row cards that a chain of that colour from end to end has to leave
out. A *gain* is the amount by which a card, flipped or put into the row, reduces a gap.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.layout import Block, Layout
from polytrix.core.state import OVER, ByteArray

from .connections import costs_from_blue, costs_from_red, least_cost, useful_pairs
from .deck import CARDS, Seat
from .state import (
    DECISIONS,
    HAND_SIZE,
    NO_CARD,
    ROW,
    Left,
    Level,
    Phase,
    Place,
    State,
    facing,
    hand_place,
    index_of,
    is_known,
)
from .tables import ENTRIES, FACE_SIZE, KIND, KINDS, PAIRS


class RowCard(Constants):
    """Offsets in the entries of a row card."""

    UP = 0
    TURNED = FACE_SIZE
    DOWN = TURNED + 1
    ENEMY_KNOWS = DOWN + FACE_SIZE
    OWN_LOCK = ENEMY_KNOWS + 1
    ENEMY_LOCK = OWN_LOCK + 1
    UNDOABLE = ENEMY_LOCK + 1
    SIZE = UNDOABLE + 1


class HandCard(Constants):
    """Offsets in the entries of a hand card."""

    TOWARD_ME = 0
    TOWARD_ENEMY = FACE_SIZE
    ENEMY_KNOWS = 2 * FACE_SIZE
    SIZE = ENEMY_KNOWS + 1


def observations(kinds: int, most: int) -> Layout:
    """The layout for a deck with `kinds` kinds of cards, at most `most` of each."""
    return Layout(
        Block("phase", (DECISIONS,), "one-hot " + ", ".join(Phase.names()[:DECISIONS])),
        Block("who", (2,), "the viewer moves now; it is the viewer's turn"),
        Block("left", (4,), "actions left in the turn: flip, draw, switch, lock"),
        Block("defcon", (2, Level.HIGHEST), "own and enemy level, one-hot 1..4"),
        Block("deck", (1,), "cards in the deck", high=CARDS),
        Block("length", (ROW,), "cards in the row, one-hot 1..7"),
        Block(
            "row",
            (ROW, RowCard.SIZE),
            "own end first: face up, turned, face down if seen, enemy knows it, own, enemy lock, undoable",
        ),
        Block(
            "hand",
            (2, HAND_SIZE, HandCard.SIZE),
            "own, enemy: face toward me, the other if seen, enemy knows mine",
        ),
        Block("drawn", (HandCard.SIZE,), "the card just drawn, like a hand card"),
        Block("pile_top", (2, FACE_SIZE), "sides a and b of the newest discard"),
        Block("gaps", (2, ROW + 1), "cards that the own and the enemy colour lack for a line, one-hot 0..7"),
        Block(
            "flip_gains",
            (ROW, 2),
            "positions: by how much a flip makes the own and the enemy gap smaller, if the underside is seen",
            low=-1,
        ),
        Block(
            "put_gains",
            (2 * HAND_SIZE + 1, ROW, 2, 2),
            "own, enemy slots, drawn: the same of that card at each position, `+` and `-`; while it matters",
            low=-1,
        ),
        Block("discards", (kinds,), "discards of each kind, for blue with the colours exchanged", high=most),
        Block("options", (5,), "comeback, dangerous, feedback, recycling, lock_down"),
    )


OBSERVATIONS = observations(int(KINDS[0]), int(np.bincount(KIND[Seat.RED]).max()))


class Obs(Constants):
    """The first entry of each block of OBSERVATIONS; block `options`, after `discards`, depends on the deck."""

    PHASE = OBSERVATIONS.offset("phase")
    WHO = OBSERVATIONS.offset("who")
    LEFT = OBSERVATIONS.offset("left")
    DEFCON = OBSERVATIONS.offset("defcon")
    DECK = OBSERVATIONS.offset("deck")
    LENGTH = OBSERVATIONS.offset("length")
    ROW = OBSERVATIONS.offset("row")
    HAND = OBSERVATIONS.offset("hand")
    DRAWN = OBSERVATIONS.offset("drawn")
    PILE_TOP = OBSERVATIONS.offset("pile_top")
    GAPS = OBSERVATIONS.offset("gaps")
    FLIP_GAINS = OBSERVATIONS.offset("flip_gains")
    PUT_GAINS = OBSERVATIONS.offset("put_gains")
    DISCARDS = OBSERVATIONS.offset("discards")


ANY_CARD = 1 << 4
"""A bit beside the pairs of chips: no line is needed."""


def observe(s: State, seat: int, out: ByteArray) -> None:
    """The position as `seat` sees it; blocks as in `observations`."""
    if s.mover != OVER:
        show_turn(s, seat, out)
    enemy = 1 - seat
    out[Obs.DEFCON + int(s.defcon[seat]) - 1] = 1
    out[Obs.DEFCON + 4 + int(s.defcon[enemy]) - 1] = 1
    out[Obs.DECK] = s.deck_size
    if s.length > 0:
        out[Obs.LENGTH + int(s.length) - 1] = 1
    for position in range(int(s.length)):
        show_row_card(s, seat, index_of(s, seat, position), out, Obs.ROW + RowCard.SIZE * position)
    for slot in range(HAND_SIZE):
        show_hand_card(s, seat, hand_place(seat, slot), out, Obs.HAND + HandCard.SIZE * slot)
        show_hand_card(s, seat, hand_place(enemy, slot), out, Obs.HAND + HandCard.SIZE * (HAND_SIZE + slot))
    show_hand_card(s, seat, Place.DRAWN, out, Obs.DRAWN)
    show_pile(s, seat, out)
    options = Obs.DISCARDS + int(KINDS[0])  # the discards are as many as the deck has kinds
    out[options] = s.options.comeback_circuits
    out[options + 1] = s.options.dangerous_resistors
    out[options + 2] = s.options.feedback_overflow
    out[options + 3] = s.options.recycling_subsystems
    out[options + 4] = s.options.lock_down
    show_prospects(s, seat, out)


def show_turn(s: State, seat: int, out: ByteArray) -> None:
    """The phase, the mover, and the actions left."""
    if s.phase < DECISIONS:
        out[Obs.PHASE + int(s.phase)] = 1
    out[Obs.WHO] = s.mover == seat
    out[Obs.WHO + 1] = s.turn == seat
    left = int(s.left)
    for i in range(4):
        out[Obs.LEFT + i] = left >> i & 1


def show_face(card: int, side: int, turned: int, seat: int, out: ByteArray, at: int) -> None:
    """A face as a seat reads it, `turned` in its own reading."""
    entries = ENTRIES[seat, card, side, turned]
    for i in range(1, 1 + int(entries[0])):
        out[at + int(entries[i])] = 1


def show_row_card(s: State, seat: int, i: int, out: ByteArray, at: int) -> None:
    """The card at index i: its face, and its underside as it would lie after a flip, if the seat knows it."""
    card, side, turned = int(s.card[i]), int(s.side[i]), int(s.turned[i]) ^ seat
    if card == NO_CARD:
        return
    show_face(card, side, turned, seat, out, at + RowCard.UP)
    out[at + RowCard.TURNED] = turned
    if is_known(s, i, seat):
        show_face(card, side ^ 1, turned ^ 1, seat, out, at + RowCard.DOWN)
    out[at + RowCard.ENEMY_KNOWS] = is_known(s, i, 1 - seat)
    lock = int(s.lock[i])
    out[at + RowCard.OWN_LOCK] = lock >> seat & 1
    out[at + RowCard.ENEMY_LOCK] = lock >> (1 - seat) & 1
    out[at + RowCard.UNDOABLE] = s.flipped == i


def show_hand_card(s: State, seat: int, place: int, out: ByteArray, at: int) -> None:
    """A hand card or the drawn card: the side toward the seat, and the other side if the seat knows it."""
    card = int(s.card[place])
    if card == NO_CARD:
        return
    side = facing(s, place, seat)
    show_face(card, side, 0, seat, out, at + HandCard.TOWARD_ME)
    if is_known(s, place, seat):
        show_face(card, side ^ 1, 0, seat, out, at + HandCard.TOWARD_ENEMY)
    out[at + HandCard.ENEMY_KNOWS] = is_known(s, place, 1 - seat)


def show_pile(s: State, seat: int, out: ByteArray) -> None:
    """The newest discard, and the number of each kind (RS-24)."""
    for i in range(int(s.pile_size)):
        out[Obs.DISCARDS + int(KIND[seat, int(s.pile[i])])] += 1
    if s.pile_size > 0:
        top = int(s.pile[int(s.pile_size) - 1])
        show_face(top, 0, 0, seat, out, Obs.PILE_TOP)
        show_face(top, 1, 0, seat, out, Obs.PILE_TOP + FACE_SIZE)


def show_prospects(s: State, seat: int, out: ByteArray) -> None:
    """The gaps of both colours, and the gains of all faces that the seat knows.

    A single card changes a gap by at most one. At most positions no card does.
    """
    if s.turn == Seat.NOBODY:  # the row is being laid
        return
    cards_matter = s.mover != OVER and (int(s.left) & Left.SWITCH != 0 or s.phase == Phase.TRASH)
    for whose in range(2):
        colour = seat ^ whose
        red, blue = costs_from_red(s, colour), costs_from_blue(s, colour)
        gap = least_cost(red, int(s.length))
        out[Obs.GAPS + (ROW + 1) * whose + gap] = 1
        for position in range(int(s.length)):
            i = index_of(s, seat, position)
            better = useful_pairs(red, blue, i, gap - 1)
            enough = useful_pairs(red, blue, i, gap)
            if least_cost(red, i) + 1 + least_cost(blue, i + 1) == gap:
                if better == 0:
                    continue
                enough |= ANY_CARD
            if is_known(s, i, seat):
                pairs = int(PAIRS[int(s.card[i]), 1 - int(s.side[i]), 1 - int(s.turned[i]), colour])
                out[Obs.FLIP_GAINS + 2 * position + whose] = gain(pairs, better, enough)
            if cards_matter:
                for slot in range(2 * HAND_SIZE + 1):
                    place = candidate_place(seat, slot)
                    card = int(s.card[place])
                    if card == NO_CARD:
                        continue
                    side = facing(s, place, seat)
                    at = Obs.PUT_GAINS + 4 * (ROW * slot + position) + whose
                    out[at] = gain(int(PAIRS[card, side, seat, colour]), better, enough)
                    out[at + 2] = gain(int(PAIRS[card, side, 1 - seat, colour]), better, enough)


def gain(pairs: int, better: int, enough: int) -> int:
    """The gain of a face with lines between these pairs of chips."""
    if pairs & better:
        return 1
    return 0 if (pairs | ANY_CARD) & enough else -1


def candidate_place(seat: int, slot: int) -> int:
    """The place of a candidate: 0 and 1 own hand cards, 2 and 3 the enemy's, 4 the drawn card."""
    if slot == 2 * HAND_SIZE:
        return Place.DRAWN
    return hand_place(seat ^ slot // HAND_SIZE, slot % HAND_SIZE)
