"""What a player touches to make a move: cards, the deck, the discards and the sign of Lock Cards.

A place of the row has the same name for both seats, although each counts positions from its own MainFrame.
"""

from __future__ import annotations

from .reading import SEATS
from .state import ACTIONS, HAND_SIZE, ROW, Place, State, card_place, index_of

DECK_PLACE, LOCK_PLACE = "deck", "lock"
DISCARD_PLACES = ("discard-a", "discard-b")


def place_name(place: int) -> str:
    """A card of the row, by its index from Red's MainFrame, of a hand, or the one just drawn."""
    if place < ROW:
        return f"row-{place + 1}"
    owner, slot = divmod(place - Place.HANDS, HAND_SIZE)
    return "drawn-card" if place == Place.DRAWN else f"{SEATS[owner]}-hand-{slot + 1}"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The card concerned; a hand card and the row card that it is switched with."""
    block, where = ACTIONS.locate(action)
    mover, first = s.mover, where[0]
    if block.name == "draw":
        return (DECK_PLACE,)
    if block.name == "recycle":
        return (DISCARD_PLACES[first],)
    if block.name == "trash":
        return (place_name(card_place(mover, first)),)
    if block.name == "undo":
        return (place_name(s.flipped),) if first == 0 else ()
    place = place_name(index_of(s, mover, first))
    if block.name == "switch":
        return place_name(card_place(mover, HAND_SIZE * where[1] + where[2])), place
    return (LOCK_PLACE, place) if block.name == "lock" else (place,)
