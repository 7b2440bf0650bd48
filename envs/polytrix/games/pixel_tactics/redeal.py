"""Redealing: sample everything that a seat cannot know."""

from __future__ import annotations

from polytrix.core.bits import nth, size
from polytrix.core.random import draw

from .board.zones import unseen_cards
from .state import State


def redeal(s: State, seat: int) -> None:
    """Deal the opponent's unseen cards anew to the same places, uniformly (PT-100 to PT-103)."""
    foe = 1 - seat
    hand = int(s.hand[foe])
    hidden = hand & ~int(s.known[foe])
    rest = unseen_cards(s, foe)
    picks_leader = s.leader[foe] >= 0 and not s.revealed
    drawn = s.drawn if s.active == foe else -1
    s.hand[foe] = hand & ~hidden
    for number in range(size(hidden)):
        card = nth(rest, draw(s.generator, size(rest)))
        rest ^= 1 << card
        s.hand[foe] = int(s.hand[foe]) | 1 << card
        if number == 0 and picks_leader:
            s.leader[foe] = card
        if number == 0 and drawn >= 0 and hidden >> drawn & 1:
            s.drawn = card
    places = size(int(s.aside[foe]))
    s.aside[foe] = 0
    for _ in range(places):
        card = nth(rest, draw(s.generator, size(rest)))
        rest ^= 1 << card
        s.aside[foe] = int(s.aside[foe]) | 1 << card
    s.deck[foe] = rest
    for place in range(int(s.fixed[foe])):
        card = nth(rest, draw(s.generator, size(rest)))
        rest ^= 1 << card
        s.top[foe, place] = card
