"""What the fields `may_*` say, to be compared with what they should."""

from __future__ import annotations

from ..state import ASK_AMOUNT, ASK_CARD, ASK_ORDERS, NO_CARDS, NO_ORDERS, State
from ..table.board import places

# Which of the fields `may_*` say something.
PASSES, DRAWS, RECRUITS, ORDERS, CARDS, AMOUNTS, LINES, ATTACKS, CLEARS, MOVES, PICKS = (
    1 << i for i in range(11)
)


def said(s: State) -> int:
    """The kinds of choices that there are."""
    found = 0
    if s.may_pass:
        found |= PASSES
    if s.may_draw:
        found |= DRAWS
    if s.may_recruit:
        found |= RECRUITS
    if s.may_order != NO_ORDERS:
        found |= ORDERS
    if s.may_card != NO_CARDS:
        found |= CARDS
    if s.may_amount:
        found |= AMOUNTS
    if s.may_column or s.may_row:
        found |= LINES
    if s.may_melee or s.may_ranged or s.may_power:
        found |= ATTACKS
    if s.may_clear:
        found |= CLEARS
    if s.may_move or s.may_move_to:
        found |= MOVES
    if s.may_own or s.may_foe:
        found |= PICKS
    return found


def asks(s: State, seat: int, decision: int, kind: int, may_pass: bool) -> bool:
    """The seat has this decision, and choices of one kind; perhaps it may pass."""
    if s.mover != seat or s.decision != decision or (s.recruit_row >= 0) != (kind == RECRUITS):
        return False
    return said(s) == (kind | PASSES if may_pass else kind)


def asks_place(s: State, seat: int, decision: int, some: int, may_pass: bool) -> bool:
    """It picks one of these places."""
    return asks(s, seat, decision, PICKS, may_pass) and places(int(s.may_own), int(s.may_foe)) == some


def asks_card(s: State, seat: int, source: int) -> bool:
    """It picks a card of this zone."""
    return asks(s, seat, ASK_CARD, CARDS, False) and bool(s.may_card == source)


def asks_amount(s: State, seat: int, most: int) -> bool:
    """It picks a number up to this."""
    return asks(s, seat, ASK_AMOUNT, AMOUNTS, False) and bool(s.may_amount == most)


def asks_order(s: State, seat: int, source: int) -> bool:
    """It may play one of these orders."""
    return asks(s, seat, ASK_ORDERS, ORDERS, True) and bool(s.may_order == source)
