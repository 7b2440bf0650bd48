"""PT-100 to PT-106: decks, hands and discards, and the hand cards that the other seat knows."""

from __future__ import annotations

from polytrix.core.state import CHANCE

from ..cards.effects import Mark
from ..state import MOST_FIXED, State
from .passives import leader_marks
from .units import lift, owner

# -- hands --------------------------------------------------------------------------------------------


def to_hand(s: State, seat: int, card: int, openly: bool) -> None:
    """PT-103, PT-106: add a card to a hand, openly or not."""
    s.hand[seat] |= 1 << card
    if openly or leader_marks(s, 1 - seat) & Mark.OPEN_HAND:
        s.known[seat] |= 1 << card


def from_hand(s: State, seat: int, card: int) -> None:
    """Remove a card from a hand."""
    s.hand[seat] &= ~(1 << card)
    s.known[seat] &= ~(1 << card)


def show_card(s: State, seat: int, card: int) -> None:
    """PT-103: show a hand card to the other seat."""
    s.known[seat] |= 1 << card


def discard_from_hand(s: State, seat: int, card: int) -> None:
    """Discard a hand card."""
    from_hand(s, seat, card)
    s.discard[seat] |= 1 << card


# -- decks --------------------------------------------------------------------------------------------


def ask_chance(s: State, kind: int, seat: int) -> None:
    """Ask for a chance event on the deck or hand of a seat."""
    s.mover = CHANCE
    s.chance_kind = kind
    s.chance_seat = seat


def unfixed(s: State, seat: int) -> int:
    """The cards of a deck that are not fixed."""
    cards = int(s.deck[seat])
    for i in range(int(s.fixed[seat])):
        cards &= ~(1 << int(s.top[seat, i]))
    return cards


def fix_next(s: State, seat: int, card: int) -> None:
    """Fix this card below the fixed ones."""
    s.top[seat, s.fixed[seat]] = card
    s.fixed[seat] += 1


def take_top(s: State, seat: int) -> int:
    """Remove the top card, which is fixed, from the deck."""
    card = int(s.top[seat, 0])
    for i in range(1, MOST_FIXED):
        s.top[seat, i - 1] = int(s.top[seat, i])
    s.top[seat, MOST_FIXED - 1] = -1
    s.fixed[seat] -= 1
    s.deck[seat] &= ~(1 << card)
    return card


def put_on_top(s: State, seat: int, card: int) -> None:
    """Put a card on top of the deck."""
    for i in range(MOST_FIXED - 1, 0, -1):
        s.top[seat, i] = int(s.top[seat, i - 1])
    s.top[seat, 0] = card
    s.fixed[seat] += 1
    s.deck[seat] |= 1 << card


def move_up(s: State, seat: int, card: int, position: int) -> None:
    """Move a fixed card up; those between move down."""
    i = int(s.fixed[seat]) - 1
    while s.top[seat, i] != card:
        i -= 1
    while i > position:
        s.top[seat, i] = int(s.top[seat, i - 1])
        i -= 1
    s.top[seat, position] = card


def shuffle(s: State, seat: int) -> None:
    """Unfix all cards."""
    for i in range(MOST_FIXED):
        s.top[seat, i] = -1
    s.fixed[seat] = 0


def unseen_cards(s: State, owner: int) -> int:
    """Cards whose zone only their owner knows (PT-103): deck, unknown hand, cards set aside, hidden leader."""
    return int(s.deck[owner]) | int(s.hand[owner]) & ~int(s.known[owner]) | int(s.aside[owner])


# -- from the field -------------------------------------------------------------------------------------


def to_owners_discard(s: State, u: int, slot: int) -> None:
    """PT-07: put a hero or corpse into its owner's discard."""
    s.discard[owner(s, u, slot)] |= 1 << int(s.card[u, slot])
    lift(s, u, slot)


def to_owners_hand(s: State, u: int, slot: int) -> None:
    """PT-104: return a hero or corpse to its owner's hand."""
    card = int(s.card[u, slot])
    seat = owner(s, u, slot)
    lift(s, u, slot)
    to_hand(s, seat, card, True)
