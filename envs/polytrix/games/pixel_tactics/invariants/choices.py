"""The fields `may_*`, for comparison with the expected choices."""

from __future__ import annotations

from polytrix.core.constants import Constants

from ..state import Decision, OrderSource, Source, State
from ..table.board import places


class May(Constants):
    """Kinds of choices, as bits."""

    PASS, DRAW, RECRUIT, ORDER, CARD, AMOUNT, LINE, ATTACK, CLEAR, MOVE, PICK = (1 << i for i in range(11))


def said(s: State) -> int:
    """The kinds of choices that the fields `may_*` offer."""
    found = 0
    if s.may_pass:
        found |= May.PASS
    if s.may_draw:
        found |= May.DRAW
    if s.may_recruit:
        found |= May.RECRUIT
    if s.may_order != OrderSource.NONE:
        found |= May.ORDER
    if s.may_card != Source.NONE:
        found |= May.CARD
    if s.may_amount:
        found |= May.AMOUNT
    if s.may_column or s.may_row:
        found |= May.LINE
    if s.may_melee or s.may_ranged or s.may_power:
        found |= May.ATTACK
    if s.may_clear:
        found |= May.CLEAR
    if s.may_move or s.may_move_to:
        found |= May.MOVE
    if s.may_own or s.may_foe:
        found |= May.PICK
    return found


def asks(s: State, seat: int, decision: int, kind: int, may_pass: bool) -> bool:
    """Whether the seat has this decision with choices of one kind, and may pass or not."""
    if s.mover != seat or s.decision != decision or (s.recruit_row >= 0) != (kind == May.RECRUIT):
        return False
    return said(s) == (kind | May.PASS if may_pass else kind)


def asks_place(s: State, seat: int, decision: int, some: int, may_pass: bool) -> bool:
    """Whether it picks one of these places."""
    return asks(s, seat, decision, May.PICK, may_pass) and places(int(s.may_own), int(s.may_foe)) == some


def asks_card(s: State, seat: int, source: int) -> bool:
    """Whether it picks a card of this zone."""
    return asks(s, seat, Decision.CARD, May.CARD, False) and bool(s.may_card == source)


def asks_amount(s: State, seat: int, most: int) -> bool:
    """Whether it picks a number up to this one."""
    return asks(s, seat, Decision.AMOUNT, May.AMOUNT, False) and bool(s.may_amount == most)


def asks_order(s: State, seat: int, source: int) -> bool:
    """Whether it may play one of these orders."""
    return asks(s, seat, Decision.ORDERS, May.ORDER, True) and bool(s.may_order == source)
