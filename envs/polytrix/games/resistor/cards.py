"""Moves of cards between deck, row, hands and discards, and the sides that seats see in them."""

from __future__ import annotations

from polytrix.core.bits import nth

from .deck import Setting
from .state import BOTH_SEATS, NONE, ROW, Place, State, facing
from .tables import DIAMOND, RESISTOR, SETTINGS


def clear(s: State, place: int) -> None:
    """Leave a place empty."""
    put(s, place, NONE, 0, 0, 0)
    if place < ROW:
        s.lock[place] = 0


def put(s: State, place: int, card: int, side: int, turned: int, known: int) -> None:
    """Lay a card at a place."""
    s.card[place] = card
    s.side[place] = side
    s.turned[place] = turned
    s.known[place] = known


def move(s: State, source: int, target: int) -> None:
    """Copy a card to another place, with its side and orientation."""
    put(s, target, int(s.card[source]), int(s.side[source]), int(s.turned[source]), int(s.known[source]))


def count_layable(s: State) -> int:
    """The number of sides without a diamond in the deck (RS-10)."""
    count = 0
    for card in range(int(SETTINGS[Setting.CARDS])):
        count += layable(s, card)
    return count


def layable(s: State, card: int) -> int:
    """The number of sides without a diamond of a card, 0 if it is not in the deck."""
    return (s.deck >> card & 1) * (2 - int(RESISTOR[card]))


def lay(s: State, i: int, outcome: int) -> None:
    """Lay a deck card into the row; outcomes count the sides without a diamond, each in `+` and `-` (RS-10)."""
    wanted = outcome // 2
    for card in range(int(SETTINGS[Setting.CARDS])):
        sides = layable(s, card)
        if wanted < sides:
            remove_from_deck(s, card)
            put(s, i, card, int(DIAMOND[card, 0]) | wanted, outcome % 2, 0)  # a Resistor has one such side
            return
        wanted -= sides


def draw(s: State, place: int, outcome: int) -> None:
    """Draw a deck card; outcomes count the cards, each with side a and side b toward Red (RS-12)."""
    card = nth(s.deck, outcome // 2)
    remove_from_deck(s, card)
    put(s, place, card, outcome % 2, 0, 0)


def remove_from_deck(s: State, card: int) -> None:
    """Take a card out of the deck."""
    s.deck &= ~(1 << card)


def discard(s: State, place: int) -> None:
    """Lay the card of a place on top of the pile, open to both (RS-24)."""
    s.pile[s.pile_size] = s.card[place]
    s.pile_size += 1
    clear(s, place)


def take_back(s: State, side: int) -> None:
    """Take the top of the pile as the drawn card, this side toward Red; both seats know it (RS-56, RS-57)."""
    s.pile_size -= 1
    put(s, Place.DRAWN, int(s.pile[s.pile_size]), side, 0, BOTH_SEATS)
    s.pile[s.pile_size] = NONE


def flip(s: State, i: int) -> None:
    """Flip a row card; then both seats know both sides (RS-21)."""
    s.side[i] ^= 1
    s.turned[i] ^= 1
    s.known[i] = BOTH_SEATS


def switch(s: State, seat: int, i: int, place: int, turned: int) -> None:
    """Exchange a row card and a hand card; then the opponent knows both (RS-28..30, RS-63)."""
    opponent = 1 << (1 - seat)
    card, up, known = int(s.card[i]), int(s.side[i]), int(s.known[i])
    put(s, i, int(s.card[place]), facing(s, place, seat), turned, int(s.known[place]) | opponent)
    put(s, place, card, up ^ seat, 0, known | opponent)


def close_row(s: State, i: int) -> None:
    """Move the cards beyond index i up by one, with their locks (RS-38, RS-59)."""
    s.length -= 1
    for j in range(i, s.length):
        move(s, j + 1, j)
        s.lock[j] = s.lock[j + 1]
    clear(s, s.length)
