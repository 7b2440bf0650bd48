"""What must hold in every state: the cards are of the deck, and the betting could have happened."""

from __future__ import annotations

from polytrix.core.invariants import invariant
from polytrix.core.state import CHANCE, OVER

from .state import NONE, RANKS, Act, State


@invariant
def cards_are_dealt_in_order(before: State, s: State) -> bool:
    """Cards are of the deck, different, and dealt in order."""
    first, second, public = int(s.hand[0]), int(s.hand[1]), int(s.public)
    if max(first, second, public) >= RANKS * s.suits:
        return False
    if second != NONE and (first == NONE or second == first):
        return False
    return public == NONE or (second != NONE and public != first and public != second and s.street == 1)


def is_closing(action: int, place: int) -> bool:
    """Whether an action ends its round: a fold, or a call that is not its first action."""
    return action == Act.FOLD or (action == Act.CALL and place > 0)


@invariant
def rounds_follow_one_another(before: State, s: State) -> bool:
    """The rounds are bet one after another, each up to its end."""
    if s.street >= s.rounds or s.taken > s.raises + 2:
        return False
    total = 0
    for number in range(2):
        closed = False
        count = 0
        for place in range(4):
            action = int(s.betting[number, place])
            if action == NONE:
                continue
            if closed or place != count or (action == Act.FOLD and number != s.street):
                return False
            closed = is_closing(action, place)
            count += 1
        if number < s.street and not closed:
            return False
        if number == s.street and count != s.taken:
            return False
        if number > s.street and count:
            return False
        total += count
    return total == s.decisions


@invariant
def chips_are_paid_by_actions(before: State, s: State) -> bool:
    """Every action was legal, and no chip was paid but by actions."""
    paid, other, folded, raised = 1, 1, NONE, 0  # `paid` by the seat to move, and by the other one
    for number in range(s.street + 1):
        raised = 0
        if paid != other:
            return False
        for place in range(4):
            action = int(s.betting[number, place])
            if action == NONE:
                break
            if action == Act.FOLD:
                if paid >= other:
                    return False
                folded = place % 2
            else:
                paid = max(paid, other)
            if action == Act.RAISE:
                paid += int(s.bet) * (number + 1)
                raised += 1
                if raised > s.raises:
                    return False
            paid, other = other, paid
    if s.taken % 2:
        paid, other = other, paid
    return paid == s.paid[0] and other == s.paid[1] and folded == s.folded and raised == s.raised


@invariant
def the_mover_follows(before: State, s: State) -> bool:
    """The seat to move, the pending card or the end follow from cards and actions."""
    missing = s.hand[1] == NONE or (s.street == 1 and s.public == NONE)
    if missing:
        return s.mover == CHANCE and s.taken == 0 and not s.truncated
    if s.taken > 0 and is_closing(int(s.betting[s.street, s.taken - 1]), s.taken - 1):
        return s.mover == OVER and not s.truncated
    return s.mover == (OVER if s.truncated else s.taken % 2)
