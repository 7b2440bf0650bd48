"""Redeals: other hidden cards, with the same observation for the seat."""

from __future__ import annotations

from polytrix.core.random import draw

from .state import NONE, PLACES, ROW, State, facing, is_known
from .tables import FACE, FACES

MOST_TRIES = 10_000


def redeal(s: State, seat: int) -> None:
    """Sample the hidden sides that the seat does not know; all consistent deals are equally likely.

    Every open place gets a card of the pool with the same visible face. A deal that uses a card twice is
    discarded as a whole, since repairing it would favour some deals.
    """
    pool = hidden_cards(s, seat)
    for _ in range(MOST_TRIES):
        rest = pick_cards(s, seat, pool)
        if rest >= 0:
            lay_picked(s, seat)
            s.deck = rest
            return
    # Never in play; the present deal is consistent too.


def is_open(s: State, place: int, seat: int) -> bool:
    """Whether the seat knows only one side of a card there."""
    return s.card[place] != NONE and not is_known(s, place, seat)


def hidden_cards(s: State, seat: int) -> int:
    """Bits of the cards that may lie at the open places or in the deck, as far as the seat knows."""
    pool = s.deck
    for place in range(PLACES):
        if is_open(s, place, seat):
            pool |= 1 << int(s.card[place])
    return pool


def pick_cards(s: State, seat: int, pool: int) -> int:
    """Pick a card and side for each open place, into `sketch`; return the rest of the pool, or -1."""
    left = pool
    for place in range(PLACES):
        if is_open(s, place, seat):
            picked = pick(s, pool, int(FACE[s.card[place], facing(s, place, seat)]))
            if left >> picked // 2 & 1 == 0:
                return -1
            left &= ~(1 << picked // 2)
            s.sketch[place] = picked
    return left


def pick(s: State, pool: int, face: int) -> int:
    """One of the pool's sides with that face, as 2 * card + side; all are equally likely."""
    count = 0
    for i in range(1, 1 + int(FACES[face, 0])):
        count += pool >> int(FACES[face, i]) // 2 & 1
    wanted = draw(s.generator, count)
    for i in range(1, 1 + int(FACES[face, 0])):
        found = int(FACES[face, i])
        if pool >> found // 2 & 1:
            if wanted == 0:
                return found
            wanted -= 1
    return -1  # never: the card that lies there is in the pool


def lay_picked(s: State, seat: int) -> None:
    """Lay the picked cards so that the seat sees what it saw; orientation, locks and flags stay."""
    for place in range(PLACES):
        if is_open(s, place, seat):
            picked = int(s.sketch[place])
            s.card[place] = picked // 2
            s.side[place] = picked % 2 if place < ROW else picked % 2 ^ seat
            s.sketch[place] = 0
