"""PT-96: the questions of powers and orders, operation by operation, derived from the board."""

from __future__ import annotations

from polytrix.core.bits import size

from ..cards.cards import OPERATIONS
from ..cards.effects import MANY, How, Operation
from ..flow.powers import copied_heroes, granted
from ..operations.field import rows_with_space
from ..state import LEADER_SLOT, ROWS, Decision, Frame, OrderSource, SlotSet, Source, State
from ..table.board import (
    all_corpses,
    all_damaged,
    all_heroes,
    damaged,
    empty,
    front_heroes,
    is_hero,
    occupied,
    places,
    slot_at,
    unit_at,
)
from .choices import May, asks, asks_amount, asks_card, asks_order, asks_place
from .frames import which_of


def operation_asks(s: State, f: Frame) -> bool:
    """Whether the question is that of the operation of a power or an order."""
    card, which, op, step, seat = int(f.card), which_of(f), int(f.op), int(f.step), int(f.seat)
    operation = int(OPERATIONS[card, which, op, 0])
    how, n = int(OPERATIONS[card, which, op, 1]), int(OPERATIONS[card, which, op, 2])
    if step == 3 and operation in (Operation.SPLIT_HIT, Operation.SPLIT_HEAL, Operation.GATHER):
        return share_asks(s, f, operation)
    if operation == Operation.SHIFT:
        return shift_asks(s, f, how, n)
    if operation in (Operation.SWAP, Operation.ARRANGE):
        return places_asked(s, f, operation, how)
    if operation == Operation.COLUMN:
        slots = int(s.heroes[seat]) | int(s.heroes[1 - seat])
        if OPERATIONS[card, which, op + 1, 0] == Operation.ARRANGE:
            slots = occupied(s, 1 - seat)
        columns = (slots | slots >> 3 | slots >> 6) & SlotSet.ROW
        return asks(s, seat, Decision.COLUMN, May.LINE, False) and bool(
            s.may_column == columns and s.may_row == 0
        )
    if operation == Operation.ROW_CORPSES:
        return rows_asked(s, seat, rows_of(int(s.corpses[seat])) | rows_of(int(s.corpses[1 - seat])) << ROWS)
    if operation == Operation.RECRUIT:
        if step == 1:
            return s.hand[seat] != 0 and rows_asked(s, seat, rows_with_space(s, seat))
        row = int(f.chosen_row)
        return asks(s, seat, Decision.RECRUITS, May.RECRUIT, n == MANY) and bool(
            s.hand[seat] and s.recruit_row == row and s.may_recruit == empty(s, seat) >> 3 * row & SlotSet.ROW
        )
    if operation >= Operation.REORDER:
        return cards_asked(s, f, operation, how, n)
    may_pass = False
    if operation in (Operation.PING, Operation.HEAL):
        may_pass = f.left < OPERATIONS[card, which, op, 3]
    elif operation == Operation.SPLIT_HEAL:
        may_pass = True
    elif operation == Operation.GATHER:
        may_pass = f.picked != 0
    some = picks(s, f, operation, how, n)
    return some != 0 and asks_place(s, seat, Decision.PICK, some, may_pass)


def picks(s: State, f: Frame, operation: int, how: int, n: int) -> int:
    """The places that an operation with single picks offers."""
    seat, slot = int(f.seat), int(f.slot)
    if operation in (Operation.PING, Operation.SPLIT_HIT):
        return all_heroes(s, seat) & ~int(f.picked)
    if operation in (Operation.HEAL, Operation.SPLIT_HEAL):
        return all_damaged(s, seat) & ~int(f.picked)
    if operation == Operation.GATHER:
        return damaged(s, seat) & ~int(f.picked) & ~(1 << slot) if is_hero(s, seat, slot) else 0
    if operation in (Operation.DEFEAT, Operation.RETURN):
        if how == How.FOE_FRONT_HERO:
            return places(0, front_heroes(s, 1 - seat))
        return all_heroes(s, seat) if operation == Operation.DEFEAT else int(s.heroes[seat])
    if operation == Operation.BOOST:
        return all_heroes(s, seat)
    if operation == Operation.REVIVE:
        return all_corpses(s, seat)
    if operation == Operation.SWAP_SELF:
        return int(s.heroes[seat]) & ~(1 << slot)
    if operation == Operation.GRANT:
        return granted(s, seat, slot, int(f.row), how, n)
    return copied_heroes(s, seat, slot, how) if operation == Operation.COPY else 0


def share_asks(s: State, f: Frame, operation: int) -> bool:
    """How many points the hero just picked gets."""
    seat, first, left = int(f.seat), int(f.first), int(f.left)
    u, slot = unit_at(seat, first), slot_at(first)
    if not is_hero(s, u, slot):
        return False
    if operation == Operation.SPLIT_HIT:
        return all_heroes(s, seat) & ~int(f.picked) != 0 and asks_amount(s, seat, left)
    if operation == Operation.GATHER and (u != seat or slot == f.slot):
        return False
    return asks_amount(s, seat, min(left, int(s.damage[u, slot])))


def shift_asks(s: State, f: Frame, how: int, n: int) -> bool:
    """SHIFT: the giver, the taker, or the amount."""
    seat, heroes = int(f.seat), all_heroes(s, int(f.seat))
    if how == How.SHIFT_HERO:
        if f.step == 1:
            return heroes & (heroes - 1) != 0 and asks_place(
                s, seat, Decision.PICK, all_damaged(s, seat), False
            )
        return all_damaged(s, seat) >> int(f.first) & 1 != 0 and asks_place(
            s, seat, Decision.PICK2, heroes & ~(1 << int(f.first)), False
        )
    has = int(s.damage[seat, LEADER_SLOT])
    if f.step == 1:
        return has > 0 and asks_place(s, seat, Decision.PICK, heroes, False)
    return heroes >> int(f.first) & 1 != 0 and asks_amount(s, seat, min(n, has))


def places_asked(s: State, f: Frame, operation: int, how: int) -> bool:
    """SWAP, ARRANGE: the two slots to exchange."""
    seat = int(f.seat)
    if operation == Operation.SWAP:
        own = how == How.SWAP_OWN
        slots = occupied(s, seat if own else 1 - seat)
    else:
        own = how == How.ARRANGE_OWN
        if not own and f.column < 0:
            return False
        slots = SlotSet.HEROES if own else SlotSet.COLUMN << int(f.column) & SlotSet.HEROES
        if f.left >= size(slots):
            return False
    cards = slots & occupied(s, seat if own else 1 - seat)
    if f.first < 0:
        return asks_place(
            s,
            seat,
            Decision.PICK,
            places(cards, 0) if own else places(0, cards),
            operation == Operation.ARRANGE,
        )
    first = places(cards, 0) if own else places(0, cards)
    rest = (places(slots, 0) if own else places(0, slots)) & ~(1 << int(f.first))
    return first >> int(f.first) & 1 != 0 and asks_place(s, seat, Decision.PICK2, rest, False)


def rows_asked(s: State, seat: int, rows: int) -> bool:
    """Whether the seat picks one of these rows."""
    return asks(s, seat, Decision.ROW, May.LINE, False) and bool(s.may_row == rows and s.may_column == 0)


def rows_of(slots: int) -> int:
    """The rows that have one of these slots."""
    rows = 0
    for row in range(ROWS):
        if slots & SlotSet.ROW << 3 * row:
            rows |= 1 << row
    return rows


def cards_asked(s: State, f: Frame, operation: int, how: int, n: int) -> bool:
    """The questions of operations on decks, hands and other orders."""
    seat = int(f.seat)
    if operation == Operation.REORDER:
        return f.step == 1 and asks_card(s, seat, Source.TOP)
    if operation == Operation.SIFT:
        return f.step >= 2 and asks_card(s, seat, Source.ASIDE)
    if operation == Operation.SEARCH:
        return asks_card(s, seat, Source.DECK)
    if operation == Operation.SPY_DISCARD:
        return bool(s.known[1 - seat] == s.hand[1 - seat]) and asks_card(s, seat, Source.FOE_HAND)
    if operation == Operation.USE:
        return how != How.USE_RANDOM and asks_card(s, seat if how == How.USE_OWN else 1 - seat, Source.HAND)
    if operation == Operation.PLAY_MANY:
        return s.hand[seat] != 0 and asks_order(s, seat, OrderSource.HAND)
    return operation != Operation.FOE_DISCARD and s.drawn >= 0 and asks_order(s, seat, OrderSource.DRAWN)
