"""What a seat cannot know: every deal that it cannot tell from this one; and how well it stands."""

from __future__ import annotations

from polytrix.core.random import draw

from .passives import life
from .sets import nth, size
from .state import LEADER_SLOT, State


def unseen_cards(s: State, owner: int) -> int:
    """Where they are only their owner knows (PT-103): in the deck, in the hand, set aside, picked as leader."""
    return int(s.deck[owner]) | int(s.hand[owner]) & ~int(s.known[owner]) | int(s.aside[owner])


def redeal(s: State, seat: int) -> None:
    """Deal the opponent's unseen cards anew to the same places, all ways alike (PT-100 to PT-103)."""
    foe = 1 - seat
    hand = int(s.hand[foe])
    hidden = hand & ~int(s.known[foe])
    rest = unseen_cards(s, foe)
    picks_leader = s.leader[foe] >= 0 and not s.revealed
    drawn = int(s.drawn) if s.active == foe else -1
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


def potential(s: State, seat: int) -> float:
    """Half of what the own leader has left of its life, less the same of the opposing one."""
    if not s.revealed:
        return 0.0
    return (leader_left(s, seat) - leader_left(s, 1 - seat)) / 2.0


def leader_left(s: State, u: int) -> float:
    """The part of a leader's life that is left."""
    return max(0.0, 1.0 - int(s.damage[u, LEADER_SLOT]) / int(life(s, u, LEADER_SLOT)))
