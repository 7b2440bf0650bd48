"""What a player touches to make a move: cards, the deck, the discards and the sign of Lock Cards.

A place of the row has the same name for both seats, although each counts positions from its own MainFrame.
"""

from __future__ import annotations

from .reading import SEATS
from .state import ACTIONS, HAND_SIZE, State, index_of

DECK_PLACE, DRAWN_PLACE, LOCK_PLACE = "deck", "drawn-card", "lock"
DISCARD_PLACES = ("discard-a", "discard-b")


def row_place(index: int) -> str:
    """A card of the row, by its index from Red's MainFrame."""
    return f"row-{index + 1}"


def hand_place_name(owner: int, slot: int) -> str:
    """A card of a hand."""
    return f"{SEATS[owner]}-hand-{slot + 1}"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The card concerned; a hand card and the row card that it is switched with."""
    block, where = ACTIONS.locate(action)
    mover, first = int(s.mover), where[0]
    if block.name == "draw":
        return (DECK_PLACE,)
    if block.name == "recycle":
        return (DISCARD_PLACES[first],)
    if block.name == "trash":
        hand, slot = divmod(first, HAND_SIZE)
        return (DRAWN_PLACE if first == 2 * HAND_SIZE else hand_place_name(mover ^ hand, slot),)
    if block.name == "undo":
        return (row_place(int(s.flipped)),) if first == 0 else ()
    place = row_place(index_of(s, mover, first))
    if block.name == "switch":
        return hand_place_name(mover ^ where[1], where[2]), place
    return (LOCK_PLACE, place) if block.name == "lock" else (place,)
