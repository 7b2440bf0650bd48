"""Operations on decks, hands and other orders."""

from __future__ import annotations

from polytrix.core.bits import size

from ..board.choices import ask, card_answered
from ..board.stack import next_operation, push_draws, push_order, push_play
from ..board.zones import (
    ask_chance,
    discard_from_hand,
    move_up,
    put_on_top,
    show_card,
    shuffle,
    take_top,
    to_hand,
)
from ..cards.effects import How, Operation
from ..state import Act, Chance, Decision, Frame, Source, State


def cards_operation(s: State, f: Frame, operation: int, how: int, n: int, following: int) -> None:
    """Run one step of an operation of this file."""
    if operation == Operation.DRAW:
        draw_cards(s, f, n, following == Operation.PLAY_DRAWN)
    elif operation == Operation.REDRAW:
        redraw(s, f, n)
    elif operation == Operation.REORDER:
        reorder(s, f, n)
    elif operation == Operation.SIFT:
        sift(s, f, n)
    elif operation == Operation.SEARCH:
        search(s, f)
    elif operation == Operation.SPY_DISCARD:
        spy_discard(s, f)
    elif operation == Operation.FOE_DISCARD:
        foe_discard(s, f, n)
    elif operation == Operation.USE:
        use_order(s, f, how)
    elif operation == Operation.PLAY_MANY:
        play_many(s, f)
    else:
        play_drawn(s, f)


# -- drawing --------------------------------------------------------------------------------------------


def draw_cards(s: State, f: Frame, n: int, remember: bool) -> None:
    """DRAW: draw n cards."""
    next_operation(f)
    push_draws(s, f.seat, n, remember)


def redraw(s: State, f: Frame, n: int) -> None:
    """REDRAW: discard the hand, then draw as many cards and n more."""
    seat = f.seat
    hand = int(s.hand[seat])
    s.discard[seat] |= hand
    s.hand[seat] = 0
    s.known[seat] = 0
    next_operation(f)
    push_draws(s, seat, size(hand) + n, False)


# -- the deck -------------------------------------------------------------------------------------------


def reorder(s: State, f: Frame, n: int) -> None:
    """REORDER: look at the top n cards and put them back in any order."""
    seat = f.seat
    if f.step == 0:
        if s.fixed[seat] < min(n, size(int(s.deck[seat]))):
            ask_chance(s, Chance.DECK, seat)
            return
        f.left = s.fixed[seat]
    else:
        move_up(s, seat, card_answered(s), int(s.fixed[seat]) - f.left)
        f.left -= 1
    if f.left > 1:
        f.step = 1
        ask(s, seat, Decision.CARD, Source.TOP, False)
    else:
        next_operation(f)


def sift(s: State, f: Frame, n: int) -> None:
    """SIFT: set n cards aside; put one into the hand, one on top of the deck, and discard the rest."""
    seat = f.seat
    if f.step == 0:
        f.left = n
        f.step = 1
    if f.step == 1:
        if f.left > 0 and s.deck[seat]:
            if s.fixed[seat] == 0:
                ask_chance(s, Chance.DECK, seat)
            else:
                s.aside[seat] |= 1 << take_top(s, seat)
                f.left -= 1
            return
    elif f.step == 2:
        card = card_answered(s)
        s.aside[seat] &= ~(1 << card)
        to_hand(s, seat, card, False)
    else:
        card = card_answered(s)
        s.aside[seat] &= ~(1 << card)
        put_on_top(s, seat, card)
        s.discard[seat] |= int(s.aside[seat])
        s.aside[seat] = 0
    if s.aside[seat] == 0:
        next_operation(f)
        return
    f.step += 1
    f.left = 2 if f.step == 2 else 1
    ask(s, seat, Decision.CARD, Source.ASIDE, False)


def search(s: State, f: Frame) -> None:
    """SEARCH: take a card from the deck openly, then shuffle (PT-102)."""
    seat = f.seat
    if f.step == 0 and s.deck[seat]:
        f.step = 1
        ask(s, seat, Decision.CARD, Source.DECK, False)
        return
    if f.step == 1:
        shuffle(s, seat)
        s.deck[seat] &= ~(1 << card_answered(s))
        to_hand(s, seat, card_answered(s), True)
    next_operation(f)


# -- the opposing hand ------------------------------------------------------------------------------------


def spy_discard(s: State, f: Frame) -> None:
    """SPY_DISCARD: look at the opposing hand and discard a card of it."""
    other = 1 - f.seat
    if f.step == 0 and s.hand[other]:
        s.known[other] = s.hand[other]
        f.step = 1
        ask(s, 1 - other, Decision.CARD, Source.FOE_HAND, False)
        return
    if f.step == 1:
        discard_from_hand(s, other, card_answered(s))
    next_operation(f)


def foe_discard(s: State, f: Frame, n: int) -> None:
    """FOE_DISCARD: discard n random cards of the opposing hand."""
    other = 1 - f.seat
    if f.step == 0:
        f.left = n
        f.step = 1
    if f.left > 0 and s.hand[other]:
        f.left -= 1
        ask_chance(s, Chance.DISCARD, other)
    else:
        next_operation(f)


# -- orders -----------------------------------------------------------------------------------------------


def use_order(s: State, f: Frame, how: int) -> None:
    """USE: carry out the order of a card without playing it (PT-93, PT-95)."""
    seat = f.seat
    if how == How.USE_LEADER:
        next_operation(f)
        push_order(s, seat, int(s.leader[seat]))
    elif how == How.USE_OWN:
        use_shown(s, f, seat)
    elif how == How.USE_SHOWN:
        use_shown(s, f, 1 - seat)
    else:
        use_stolen(s, f)


def use_shown(s: State, f: Frame, shower: int) -> None:
    """A seat shows a hand card and keeps it; its order is carried out."""
    if f.step == 0 and s.hand[shower]:
        f.step = 1
        ask(s, shower, Decision.CARD, Source.HAND, False)
        return
    chosen = f.step == 1
    next_operation(f)
    if chosen:
        show_card(s, shower, card_answered(s))
        push_order(s, f.seat, card_answered(s))


def use_stolen(s: State, f: Frame) -> None:
    """Carry out a random card of the opposing hand, then discard it."""
    other = 1 - f.seat
    if f.step == 0 and s.hand[other]:
        f.step = 1
        ask_chance(s, Chance.STEAL, other)
        return
    if f.step == 1:  # `rules.happen` has put it into play
        f.step = 2
        push_order(s, f.seat, f.kept)
        return
    if f.step == 2:
        s.in_play[other] &= ~(1 << f.kept)
        s.discard[other] |= 1 << f.kept
    next_operation(f)


def play_many(s: State, f: Frame) -> None:
    """PLAY_MANY: play any number of orders from the hand."""
    seat = f.seat
    if f.step == 1:
        f.step = 0
        push_play(s, seat, s.answer - Act.ORDER)
        return
    if s.hand[seat]:
        f.step = 1
        ask(s, seat, Decision.ORDERS, Source.HAND, True)
    else:
        next_operation(f)


def play_drawn(s: State, f: Frame) -> None:
    """PLAY_DRAWN: play the card just drawn, or pass."""
    if f.step == 0 and s.drawn >= 0:
        f.step = 1
        ask(s, f.seat, Decision.ORDERS, Source.DRAWN, True)
        return
    chosen = f.step == 1
    card = s.drawn
    s.drawn = -1
    next_operation(f)
    if chosen:
        push_play(s, f.seat, card)
