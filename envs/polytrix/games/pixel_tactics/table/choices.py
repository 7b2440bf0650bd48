"""The choices of the mover, stored as sets.

Cards are not stored: `may_card` and `may_order` name the zone to read them from.
"""

from __future__ import annotations

from polytrix.core.bits import lowest, size
from polytrix.core.state import IdArray

from ..state import COLUMNS, SLOTS, Act, Decision, OrderSource, SlotSet, Source, State
from .board import places

UNDECIDED = -1
"""There is more than one legal action."""

# -- asking -------------------------------------------------------------------------------------------


def clear_choices(s: State) -> None:
    """Remove all choices."""
    s.decision = Decision.NONE
    s.may_pass = 0
    s.may_draw = 0
    s.may_recruit = 0
    s.recruit_row = -1
    s.may_order = OrderSource.NONE
    s.may_card = Source.NONE
    s.may_amount = 0
    s.may_column = 0
    s.may_row = 0
    s.may_melee = 0
    s.may_ranged = 0
    s.may_power = 0
    s.may_clear = 0
    s.may_move = 0
    s.may_move_to = 0
    s.may_own = 0
    s.may_foe = 0


def ask(s: State, seat: int, decision: int, may_pass: bool) -> None:
    """Ask a seat for a decision; the caller adds choices other than passing."""
    s.mover = seat
    s.decision = decision
    s.may_pass = 1 if may_pass else 0


def ask_place(s: State, seat: int, decision: int, some: int, may_pass: bool) -> None:
    """Ask for one of a set of places, as the seat sees them."""
    ask(s, seat, decision, may_pass)
    s.may_own = some & SlotSet.ALL
    s.may_foe = some >> SLOTS


def ask_card(s: State, seat: int, source: int) -> None:
    """Ask for a card of a zone."""
    ask(s, seat, Decision.CARD, False)
    s.may_card = source


def ask_amount(s: State, seat: int, most: int) -> None:
    """Ask for a number from 1 to `most`."""
    ask(s, seat, Decision.AMOUNT, False)
    s.may_amount = most


def ask_column(s: State, seat: int, columns: int) -> None:
    """Ask for one of a set of columns."""
    ask(s, seat, Decision.COLUMN, False)
    s.may_column = columns


def ask_row(s: State, seat: int, rows: int) -> None:
    """Ask for one of a set of rows, own 0-2, foe 3-5."""
    ask(s, seat, Decision.ROW, False)
    s.may_row = rows


def ask_order(s: State, seat: int, source: int) -> None:
    """Ask whether to play an order."""
    ask(s, seat, Decision.ORDERS, True)
    s.may_order = source


def ask_recruit(s: State, seat: int, row: int, columns: int, may_pass: bool) -> None:
    """Ask for a hand card to recruit, and for one of a set of columns of a row."""
    ask(s, seat, Decision.RECRUITS, may_pass)
    s.may_recruit = columns
    s.recruit_row = row


# -- the answer ---------------------------------------------------------------------------------------


def place_answered(s: State) -> int:
    """The place that has been picked."""
    return s.answer - Act.OWN


def card_answered(s: State) -> int:
    """The card that has been picked."""
    return s.answer - Act.CARD


def amount_answered(s: State) -> int:
    """The number that has been picked."""
    return s.answer - Act.AMOUNT + 1


# -- listing ------------------------------------------------------------------------------------------


def card_choices(s: State) -> int:
    """The cards that the mover may pick."""
    seat = s.mover
    source = s.may_card
    if source == Source.NONE:
        return 0
    if source == Source.HAND:
        return int(s.hand[seat])
    if source == Source.DECK:
        return int(s.deck[seat])
    if source == Source.ASIDE:
        return int(s.aside[seat])
    if source == Source.TOP:
        return loose_top(s, seat)
    return int(s.hand[1 - seat])


def loose_top(s: State, seat: int) -> int:
    """REORDER: the fixed top cards that have no new place yet, which are the last `left` ones."""
    cards = 0
    count = int(s.fixed[seat])
    for i in range(count - s.stack[s.depth - 1].left, count):
        cards |= 1 << int(s.top[seat, i])
    return cards


def order_choices(s: State) -> int:
    """The cards that the mover may play as orders."""
    if s.may_order == OrderSource.NONE:
        return 0
    return int(s.hand[s.mover]) if s.may_order == OrderSource.HAND else 1 << s.drawn


def only_choice(s: State) -> int:
    """The only legal action, or UNDECIDED if there are several (PT-98); not for the decision TURN."""
    picks = places(s.may_own, s.may_foe)
    attacks = places(s.may_melee, s.may_ranged)
    count = s.may_pass + s.may_amount + size(picks) + size(attacks)
    count += size(s.may_power) + size(s.may_column) + size(s.may_row)
    if count > 1:
        return UNDECIDED
    cards, orders = card_choices(s), order_choices(s)
    recruits = int(s.hand[s.mover]) if s.may_recruit else 0
    count += size(cards) + size(orders) + size(recruits) * size(s.may_recruit)
    if count > 1:
        return UNDECIDED
    if s.may_pass:
        return Act.PASS
    if picks:
        return Act.OWN + lowest(picks)
    if cards:
        return Act.CARD + lowest(cards)
    if attacks:
        return Act.MELEE + lowest(attacks)
    if s.may_amount:
        return Act.AMOUNT
    if s.may_power:
        return Act.POWER + lowest(s.may_power)
    if s.may_column:
        return Act.COLUMN + lowest(s.may_column)
    if s.may_row:
        return Act.ROW + lowest(s.may_row)
    return Act.RECRUIT + COLUMNS * lowest(recruits) + lowest(s.may_recruit)


def list_choices(s: State, ids: IdArray) -> int:
    """Write the legal actions in ascending order; return their number."""
    count = 0
    if s.may_pass:
        ids[0] = Act.PASS
        count = 1
    if s.may_draw:
        ids[count] = Act.DRAW
        count += 1
    if s.may_recruit:
        count = list_pairs(int(s.hand[s.mover]), s.may_recruit, Act.RECRUIT, ids, count)
    count = list_set(places(s.may_melee, s.may_ranged), Act.MELEE, ids, count)
    count = list_set(s.may_power, Act.POWER, ids, count)
    if s.may_order:
        count = list_set(order_choices(s), Act.ORDER, ids, count)
    count = list_set(s.may_clear, Act.CLEAR, ids, count)
    count = list_pairs(s.may_move, s.may_move_to, Act.MOVE, ids, count)
    count = list_set(places(s.may_own, s.may_foe), Act.OWN, ids, count)
    if s.may_card:
        count = list_set(card_choices(s), Act.CARD, ids, count)
    for amount in range(s.may_amount):
        ids[count] = Act.AMOUNT + amount
        count += 1
    count = list_set(s.may_column, Act.COLUMN, ids, count)
    return list_set(s.may_row, Act.ROW, ids, count)


def list_set(members: int, block: int, ids: IdArray, count: int) -> int:
    """Write one action for each member of a set."""
    while members:
        ids[count] = block + lowest(members)
        count += 1
        members &= members - 1
    return count


def list_pairs(members: int, columns: int, block: int, ids: IdArray, count: int) -> int:
    """Write one action for each member of a set and each column."""
    while members:
        count = list_set(columns, block + COLUMNS * lowest(members), ids, count)
        members &= members - 1
    return count
