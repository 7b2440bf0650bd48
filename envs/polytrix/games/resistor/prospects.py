"""What each card would change: how many cards the colours lack for a line, now and with another face."""

from __future__ import annotations

from polytrix.core.state import OVER, ByteArray

from .connections import costs_from_blue, costs_from_red, least_cost, useful_pairs
from .state import (
    DRAWN,
    HAND_SIZE,
    NO_CARD,
    NO_SEAT,
    OBSERVATIONS,
    ROW,
    SWITCH,
    TRASH,
    State,
    facing,
    hand_place,
    index_of,
    is_known,
)
from .tables import PAIRS

GAPS = OBSERVATIONS.offset("gaps")
FLIP_GAINS = OBSERVATIONS.offset("flip_gains")
PUT_GAINS = OBSERVATIONS.offset("put_gains")

ANY_CARD = 1 << 4
"""Beside the pairs of chips: no line is needed."""


def show_prospects(s: State, seat: int, out: ByteArray) -> None:
    """The gaps of both colours, and by how much each face that the seat knows would make them smaller.

    A single card changes a gap by one at most, and at most positions no card does.
    """
    if s.turn == NO_SEAT:  # the row is being laid
        return
    cards_matter = s.mover != OVER and (int(s.left) & SWITCH != 0 or s.phase == TRASH)
    for whose in range(2):
        colour = seat ^ whose
        red, blue = costs_from_red(s, colour), costs_from_blue(s, colour)
        gap = least_cost(red, int(s.length))
        out[GAPS + (ROW + 1) * whose + gap] = 1
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
                out[FLIP_GAINS + 2 * position + whose] = gain(pairs, better, enough)
            if cards_matter:
                for slot in range(2 * HAND_SIZE + 1):
                    place = candidate_place(seat, slot)
                    card = int(s.card[place])
                    if card == NO_CARD:
                        continue
                    side = facing(s, place, seat)
                    at = PUT_GAINS + 4 * (ROW * slot + position) + whose
                    out[at] = gain(int(PAIRS[card, side, seat, colour]), better, enough)
                    out[at + 2] = gain(int(PAIRS[card, side, 1 - seat, colour]), better, enough)


def gain(pairs: int, better: int, enough: int) -> int:
    """By how much a face with lines between these pairs of chips makes the gap smaller."""
    if pairs & better:
        return 1
    return 0 if (pairs | ANY_CARD) & enough else -1


def candidate_place(seat: int, slot: int) -> int:
    """Where own hand slots 0 and 1, the enemy's, 2 and 3, and the drawn card, 4, lie."""
    if slot == 2 * HAND_SIZE:
        return DRAWN
    return hand_place(seat ^ slot // HAND_SIZE, slot % HAND_SIZE)
