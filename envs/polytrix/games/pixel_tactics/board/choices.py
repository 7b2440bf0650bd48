"""The choices of the mover.

A turn has a field for each kind of action. Every other question offers one set, `offer`, of what the decision
says. Cards are not stored: `offer` names the zone to read them from.
"""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import lowest, size
from polytrix.core.state import IdArray, IntArray

from ..state import COLUMNS, MOST_AMOUNT, SLOTS, Act, Decision, Source, State

UNDECIDED = -1
"""There is more than one legal action."""

_OFFERED = {
    Decision.LEADER: Act.CARD,
    Decision.CARD: Act.CARD,
    Decision.ORDERS: Act.ORDER,
    Decision.AMOUNT: Act.AMOUNT,
    Decision.COLUMN: Act.COLUMN,
    Decision.ROW: Act.ROW,
    Decision.STRIKE: Act.MELEE,
    Decision.RECRUITS: Act.RECRUIT,
}
FIRST: IntArray = np.array([_OFFERED.get(decision, Act.OWN) for decision in Decision])
"""[decision]: the action of the first member of what is offered: of a set of places, if it is nothing else."""

# -- asking -------------------------------------------------------------------------------------------


def clear_choices(s: State) -> None:
    """Remove all choices."""
    s.decision = Decision.NONE
    s.may_pass = 0
    s.offer = 0
    s.may_draw = 0
    s.may_recruit = 0
    s.may_order = 0
    s.may_attack = 0
    s.may_clear = 0
    s.may_move = 0


def ask(s: State, seat: int, decision: int, offer: int, may_pass: bool) -> None:
    """Ask a seat for a decision on what is offered, as the seat sees it."""
    s.mover = seat
    s.decision = decision
    s.offer = offer
    s.may_pass = 1 if may_pass else 0


def attacks(melee: int, ranged: int, powers: int) -> int:
    """A set of attacks, from sets of own slots: bit i is the i-th action from the first melee attack on."""
    return melee | ranged << SLOTS | powers << 2 * SLOTS


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


def cards_of(s: State, source: int) -> int:
    """The cards of a zone, as the mover calls it."""
    if source == Source.HAND:
        return int(s.hand[s.mover])
    if source == Source.DECK:
        return int(s.deck[s.mover])
    if source == Source.ASIDE:
        return int(s.aside[s.mover])
    if source == Source.TOP:
        return loose_top(s, s.mover)
    if source == Source.DRAWN:
        return 1 << s.drawn
    return int(s.hand[1 - s.mover])


def loose_top(s: State, seat: int) -> int:
    """REORDER: the fixed top cards that have no new place yet, which are the last `left` ones."""
    cards = 0
    count = int(s.fixed[seat])
    for i in range(count - s.stack[s.depth - 1].left, count):
        cards |= 1 << int(s.top[seat, i])
    return cards


def members_offered(s: State) -> int:
    """What a question offers, as a set: for recruits the cards, else bit i is the i-th action from FIRST on."""
    if s.decision in (Decision.LEADER, Decision.CARD, Decision.ORDERS):
        return cards_of(s, s.offer)
    if s.decision == Decision.RECRUITS:
        return int(s.hand[s.mover])
    if s.decision == Decision.AMOUNT:
        return (1 << min(s.offer, MOST_AMOUNT)) - 1
    return s.offer


def only_choice(s: State) -> int:
    """The only legal action, or UNDECIDED if there are several (PT-98); not for the decision TURN."""
    some, first = members_offered(s), int(FIRST[s.decision])
    recruits = s.decision == Decision.RECRUITS
    if s.may_pass + size(some) * (size(s.offer) if recruits else 1) > 1:
        return UNDECIDED
    if s.may_pass:
        return Act.PASS
    return first + (COLUMNS * lowest(some) + lowest(s.offer) if recruits else lowest(some))


def list_choices(s: State, ids: IdArray) -> int:
    """Write the legal actions in ascending order; return their number."""
    count = 0
    if s.may_pass:
        ids[0] = Act.PASS
        count = 1
    if s.decision == Decision.TURN:
        return list_turn(s, ids, count)
    if s.decision == Decision.RECRUITS:
        return list_pairs(members_offered(s), s.offer, Act.RECRUIT, ids, count)
    return list_set(members_offered(s), int(FIRST[s.decision]), ids, count)


def list_turn(s: State, ids: IdArray, count: int) -> int:
    """Write the actions of a turn; recruits and moves go to the columns offered."""
    hand = int(s.hand[s.mover])
    if s.may_draw:
        ids[count] = Act.DRAW
        count += 1
    if s.may_recruit:
        count = list_pairs(hand, s.offer, Act.RECRUIT, ids, count)
    count = list_set(s.may_attack, Act.MELEE, ids, count)
    if s.may_order:
        count = list_set(hand, Act.ORDER, ids, count)
    count = list_set(s.may_clear, Act.CLEAR, ids, count)
    return list_pairs(s.may_move, s.offer, Act.MOVE, ids, count)


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
