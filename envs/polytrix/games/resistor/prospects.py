"""What each card would change: how many cards the colours lack for a line, now and with another face."""

from __future__ import annotations

from polytrix.core.state import ByteArray, Record

from .connections import costs_from_blue, costs_from_red, gap_with, least_cost
from .state import (
    DRAWN,
    HAND_SIZE,
    NO_CARD,
    NO_SEAT,
    OBSERVATIONS,
    ROW,
    SWITCH,
    TRASH,
    facing,
    hand_place,
    index_of,
    is_known,
)

GAPS = OBSERVATIONS.offset("gaps")
FLIP_GAINS = OBSERVATIONS.offset("flip_gains")
PUT_GAINS = OBSERVATIONS.offset("put_gains")


def show_prospects(s: Record, seat: int, out: ByteArray) -> None:
    """The gaps of both colours, and by how much each face that the seat knows would make them smaller."""
    if s.turn == NO_SEAT:  # the row is being laid
        return
    for whose in range(2):
        colour = seat ^ whose
        red, blue = costs_from_red(s, colour), costs_from_blue(s, colour)
        gap = least_cost(red, int(s.length))
        out[GAPS + (ROW + 1) * whose + gap] = 1
        for position in range(int(s.length)):
            i = index_of(s, seat, position)
            if is_known(s, i, seat):
                card, side, turned = int(s.card[i]), 1 - int(s.side[i]), 1 - int(s.turned[i])
                gain = gap - gap_with(red, blue, i, card, side, turned, colour)
                out[FLIP_GAINS + 2 * position + whose] = gain
            if int(s.left) & SWITCH or s.phase == TRASH:
                for slot in range(2 * HAND_SIZE + 1):
                    place = candidate_place(seat, slot)
                    card = int(s.card[place])
                    if card == NO_CARD:
                        continue
                    side = facing(s, place, seat)
                    at = PUT_GAINS + 4 * (ROW * slot + position) + whose
                    out[at] = gap - gap_with(red, blue, i, card, side, seat, colour)
                    out[at + 2] = gap - gap_with(red, blue, i, card, side, 1 - seat, colour)


def candidate_place(seat: int, slot: int) -> int:
    """Where own hand slots 0 and 1, the enemy's, 2 and 3, and the drawn card, 4, lie."""
    if slot == 2 * HAND_SIZE:
        return DRAWN
    return hand_place(seat ^ slot // HAND_SIZE, slot % HAND_SIZE)
