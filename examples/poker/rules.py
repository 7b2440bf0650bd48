"""The rules of Kuhn and Leduc poker. PO-01 to PO-09 are the clauses of both pages."""

from __future__ import annotations

from polytrix.core.random import draw
from polytrix.core.state import CHANCE, OVER, ByteArray, FloatArray, IdArray

from .state import CHOICES, NONE, RANKS, Act, State


def begin(s: State, suits: int, rounds: int, raises: int, bet: int) -> None:
    """PO-01: each seat pays the ante of 1; then the cards are dealt."""
    s.suits, s.rounds, s.raises, s.bet = suits, rounds, raises, bet
    s.hand[:] = NONE
    s.public = NONE
    s.street = 0
    s.taken = 0
    s.raised = 0
    s.betting[:] = NONE
    s.paid[:] = 1
    s.folded = NONE
    s.mover = CHANCE


# -- cards ----------------------------------------------------------------------------------------


def is_dealt(s: State, card: int) -> bool:
    """Whether a card has left the deck."""
    return card == s.hand[0] or card == s.hand[1] or card == s.public


def chance(s: State) -> int:
    """PO-02: any card of the deck may come next."""
    count = 0
    for card in range(RANKS * s.suits):
        if not is_dealt(s, card):
            count += 1
    return count


def card_left(s: State, place: int) -> int:
    """The card at a place of the deck."""
    for card in range(RANKS * s.suits):
        if not is_dealt(s, card):
            if place == 0:
                return card
            place -= 1
    return NONE


def deal(s: State, place: int) -> None:
    """PO-02: a card for each seat, later a public one. The first seat begins each round."""
    card = card_left(s, place)
    if s.hand[0] == NONE:
        s.hand[0] = card
        return
    if s.hand[1] == NONE:
        s.hand[1] = card
    else:
        s.public = card
    s.mover = 0


# -- betting --------------------------------------------------------------------------------------


def legal(s: State, ids: IdArray) -> int:
    """PO-03: to fold, something must be to pay. PO-04: calling is always allowed. PO-05: few raises are."""
    count = 0
    if s.paid[s.mover] < s.paid[1 - s.mover]:
        ids[count] = Act.FOLD
        count += 1
    ids[count] = Act.CALL
    count += 1
    if s.raised < s.raises:
        ids[count] = Act.RAISE
        count += 1
    return count


def apply(s: State, action: int) -> None:
    """Deal a card, or carry out an action."""
    if s.mover == CHANCE:
        deal(s, action)
        return
    seat = s.mover
    s.betting[s.street, s.taken] = action
    s.taken += 1
    s.mover = 1 - seat
    if action == Act.FOLD:  # PO-03
        s.folded = seat
        s.mover = OVER
        return
    s.paid[seat] = max(s.paid[seat], s.paid[1 - seat])
    if action == Act.RAISE:  # PO-05
        s.paid[seat] += s.bet * (s.street + 1)
        s.raised += 1
    elif s.taken > 1:
        end_round(s)


def end_round(s: State) -> None:
    """PO-06: a call that is not the first action ends the round. PO-07: the showdown follows the last one."""
    if s.street + 1 == s.rounds:
        s.mover = OVER
        return
    s.street += 1
    s.taken = 0
    s.raised = 0
    s.mover = CHANCE


# -- the end --------------------------------------------------------------------------------------


def is_shown(s: State) -> bool:
    """PO-07: whether both seats have shown their cards."""
    return s.mover == OVER and s.folded == NONE and s.truncated == 0


def strength(s: State, seat: int) -> int:
    """PO-07: a pair with the public card beats everything else; then the higher rank wins."""
    rank = int(s.hand[seat]) // s.suits
    pair = s.public != NONE and rank == s.public // s.suits
    return rank + RANKS if pair else rank


def winner(s: State) -> int:
    """The seat that wins the pot of a finished game, or NONE."""
    if s.folded != NONE:
        return 1 - s.folded
    if s.truncated or strength(s, 0) == strength(s, 1):
        return NONE
    return 0 if strength(s, 0) > strength(s, 1) else 1


def payoff(s: State, out: FloatArray) -> None:
    """PO-08: the winner gets what the loser has paid. PO-09: a truncated game pays nothing."""
    seat = winner(s)
    if seat != NONE:
        out[seat] = s.paid[1 - seat]
        out[1 - seat] = -s.paid[1 - seat]


# -- what a seat knows ----------------------------------------------------------------------------


def observe(s: State, seat: int, out: ByteArray) -> None:
    """Cards that the seat sees, and the whole betting."""
    cards = RANKS * s.suits
    out[0] = seat == 0
    if s.hand[seat] != NONE:
        out[1 + s.hand[seat]] = 1
    if is_shown(s):
        out[1 + cards + s.hand[1 - seat]] = 1
    if s.public != NONE:
        out[1 + 2 * cards + s.public] = 1
    start = 1 + (1 + s.rounds) * cards  # there is room for a public card only if there are two rounds
    for number in range(s.rounds):
        for place in range(s.raises + 2):
            action = s.betting[number, place]
            if action != NONE:
                out[start + action] = 1
            start += CHOICES


def redeal(s: State, seat: int) -> None:
    """Another card for the other seat, unless it was shown."""
    if s.hand[1 - seat] != NONE and not is_shown(s):
        s.hand[1 - seat] = NONE
        s.hand[1 - seat] = card_left(s, draw(s.generator, chance(s)))
