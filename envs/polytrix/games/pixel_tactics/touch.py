"""What a player touches to make a move: slots, rows and columns of the units, cards of hands, and decks.

Places have the name of their seat, so that they are the same for both. A card of a hand has its own name; it is
a place only for those who may know it.
"""

from __future__ import annotations

from .cards.cards import TOKENS
from .reading import SEAT_NAMES, recruit_row
from .state import COLUMN_NAMES, COLUMNS, ROW_NAMES, ROWS, SLOT_NAMES, Act, Source, State


def slot_place(u: int, slot: int) -> str:
    """A slot of a unit."""
    return f"{SEAT_NAMES[u]}-{SLOT_NAMES[slot]}"


def row_place(u: int, row: int) -> str:
    """A row of a unit."""
    return f"{SEAT_NAMES[u]}-row-{ROW_NAMES[row]}"


def column_place(column: int) -> str:
    """A column of both units."""
    return f"column-{COLUMN_NAMES[column]}"


def hand_place(owner: int, card: int) -> str:
    """A card of a hand."""
    return f"{SEAT_NAMES[owner]}-hand-{TOKENS[card]}"


def deck_place(owner: int) -> str:
    """A deck, with the cards that were taken from its top or set aside."""
    return f"{SEAT_NAMES[owner]}-deck"


def touch(s: State, action: int) -> tuple[str, ...]:
    """The card or hero that acts, and where it goes; or what is picked."""
    block, where = Act().locate(action)
    seat, first = s.mover, where[0]
    if block.name == "draw":
        return (deck_place(seat),)
    if block.name == "recruit":
        return hand_place(seat, first), slot_place(seat, COLUMNS * recruit_row(s) + where[1])
    if block.name == "move":
        return slot_place(seat, first), slot_place(seat, COLUMNS * s.wave + where[1])
    if block.name in ("melee", "ranged", "power", "clear", "own"):
        return (slot_place(seat, first),)
    if block.name == "foe":
        return (slot_place(1 - seat, first),)
    if block.name == "order":
        return (hand_place(seat, first),)
    if block.name == "card":
        return (card_place(s, first),)
    if block.name == "column":
        return (column_place(first),)
    if block.name == "row":
        return (row_place(seat if first < ROWS else 1 - seat, first % ROWS),)
    return ()  # pass, amount


def card_place(s: State, card: int) -> str:
    """Where the mover picks a card: in a hand, or among those of the own deck."""
    seat = s.mover
    if s.offer == Source.HAND:
        return hand_place(seat, card)
    return hand_place(1 - seat, card) if s.offer == Source.FOE_HAND else deck_place(seat)
