"""PT-100 to PT-106: decks, hands and discards, and what the other seat knows of a hand."""

from __future__ import annotations

from polytrix.core.state import CHANCE

from ..cards.effects import Mark
from ..state import MOST_FIXED, Chance, State
from .board import lift, owner
from .passives import leader_marks

# -- hands --------------------------------------------------------------------------------------------


def to_hand(s: State, seat: int, card: int, openly: bool) -> None:
    """PT-103, PT-106: a card comes into a hand, before the other seat's eyes or not."""
    s.hand[seat] |= 1 << card
    if openly or leader_marks(s, 1 - seat) & Mark.OPEN_HAND:
        s.known[seat] |= 1 << card


def from_hand(s: State, seat: int, card: int) -> None:
    """A card leaves a hand."""
    s.hand[seat] &= ~(1 << card)
    s.known[seat] &= ~(1 << card)


def show_card(s: State, seat: int, card: int) -> None:
    """PT-103: the other seat sees a hand card."""
    s.known[seat] |= 1 << card


def discard_from_hand(s: State, seat: int, card: int) -> None:
    """A hand card is discarded."""
    from_hand(s, seat, card)
    s.discard[seat] |= 1 << card


# -- decks --------------------------------------------------------------------------------------------


def ask_chance(s: State, kind: int, seat: int) -> None:
    """Let chance decide about the deck or hand of a seat."""
    s.mover = CHANCE
    s.chance_kind = kind
    s.chance_seat = seat


def unfixed(s: State, seat: int) -> int:
    """Cards of the deck whose place nobody knows."""
    cards = int(s.deck[seat])
    for i in range(int(s.fixed[seat])):
        cards &= ~(1 << int(s.top[seat, i]))
    return cards


def ask_top(s: State, seat: int) -> None:
    """PT-101: chance says what lies below the fixed cards of a deck."""
    ask_chance(s, Chance.DECK, seat)


def fix_next(s: State, seat: int, card: int) -> None:
    """This card lies below the fixed ones."""
    s.top[seat, s.fixed[seat]] = card
    s.fixed[seat] += 1


def take_top(s: State, seat: int) -> int:
    """The first fixed card leaves the deck."""
    card = int(s.top[seat, 0])
    for i in range(1, MOST_FIXED):
        s.top[seat, i - 1] = int(s.top[seat, i])
    s.top[seat, MOST_FIXED - 1] = -1
    s.fixed[seat] -= 1
    s.deck[seat] &= ~(1 << card)
    return card


def put_on_top(s: State, seat: int, card: int) -> None:
    """A card comes on top of the deck."""
    for i in range(MOST_FIXED - 1, 0, -1):
        s.top[seat, i] = int(s.top[seat, i - 1])
    s.top[seat, 0] = card
    s.fixed[seat] += 1
    s.deck[seat] |= 1 << card


def move_up(s: State, seat: int, card: int, position: int) -> None:
    """A fixed card comes to an earlier position; those between move down."""
    i = int(s.fixed[seat]) - 1
    while s.top[seat, i] != card:
        i -= 1
    while i > position:
        s.top[seat, i] = int(s.top[seat, i - 1])
        i -= 1
    s.top[seat, position] = card


def shuffle(s: State, seat: int) -> None:
    """Nothing stays fixed."""
    for i in range(MOST_FIXED):
        s.top[seat, i] = -1
    s.fixed[seat] = 0


def unseen_cards(s: State, owner: int) -> int:
    """Where they are only their owner knows (PT-103): in the deck, in the hand, set aside, picked as leader."""
    return int(s.deck[owner]) | int(s.hand[owner]) & ~int(s.known[owner]) | int(s.aside[owner])


# -- from the field -------------------------------------------------------------------------------------


def to_owners_discard(s: State, u: int, slot: int) -> None:
    """PT-07: a hero or corpse leaves the field for its owner's discard."""
    s.discard[owner(s, u, slot)] |= 1 << int(s.card[u, slot])
    lift(s, u, slot)


def to_owners_hand(s: State, u: int, slot: int) -> None:
    """PT-104: a hero or corpse returns to its owner's hand."""
    card = int(s.card[u, slot])
    seat = owner(s, u, slot)
    lift(s, u, slot)
    to_hand(s, seat, card, True)
