"""The board as an observation shows it: the viewer becomes seat 0 of a record, the opponent seat 1."""

from __future__ import annotations

from polytrix.core.state import ByteArray

from .cards.cards import TYPES
from .observation import (
    ACTED,
    BOOST_SHOWN,
    CAPTIVE,
    CARDS_SHOWN,
    CORPSE,
    DAMAGE_SHOWN,
    FOE_SIDE,
    FRESH,
    HURT,
    LEADER_ACTED,
    LEADER_CARD,
    LEADER_DAMAGE,
    LEADER_MARKS,
    LEVEL_SHOWN,
    LIVING,
    MARKS_SHOWN,
    MOVED,
    NUM_MARKS,
    OWN_HAND,
    ROUNDS,
    TURN,
)
from .state import LEADER_SLOT, SLOTS, State

OWN, FOE = 0, 1
NOWHERE = -1


def read_board(observation: ByteArray, s: State) -> None:
    """Write the units, leaders and the own hand into `s`: all that strength and reach depend on."""
    read_unit(observation, s, OWN, 0)
    read_unit(observation, s, FOE, FOE_SIDE)
    s.revealed = s.leader[FOE] >= 0
    s.first = OWN if observation[TURN] else FOE
    s.round_number = observation[ROUNDS]
    s.hand[OWN] = read_set(observation, OWN_HAND)


def read_unit(observation: ByteArray, s: State, u: int, side: int) -> None:
    """One unit with its marks."""
    s.heroes[u] = 0
    s.corpses[u] = 0
    s.captives[u] = 0
    s.acted[u] = int(observation[side + LEADER_MARKS + LEADER_ACTED]) << LEADER_SLOT
    s.fresh[u] = 0
    s.moved[u] = 0
    s.hurt[u] = 0
    for slot in range(SLOTS):
        s.card[u, slot] = NOWHERE
        s.damage[u, slot] = 0
        s.boost[u, slot] = 0
        if slot == LEADER_SLOT:
            continue
        place = slot if slot < LEADER_SLOT else slot - 1
        at = side + MARKS_SHOWN + NUM_MARKS * place
        if observation[at + LIVING] | observation[at + CORPSE] == 0:
            continue
        s.card[u, slot] = read_one(observation, side + CARDS_SHOWN + TYPES * place, TYPES)
        s.damage[u, slot] = observation[side + DAMAGE_SHOWN + place]
        s.boost[u, slot] = observation[side + BOOST_SHOWN + place]
        s.heroes[u] |= int(observation[at + LIVING]) << slot
        s.corpses[u] |= int(observation[at + CORPSE]) << slot
        s.captives[u] |= int(observation[at + CAPTIVE]) << slot
        s.acted[u] |= int(observation[at + ACTED]) << slot
        s.fresh[u] |= int(observation[at + FRESH]) << slot
        s.moved[u] |= int(observation[at + MOVED]) << slot
        s.hurt[u] |= int(observation[at + HURT]) << slot
    s.leader[u] = read_one(observation, side + LEADER_CARD, TYPES)
    s.damage[u, LEADER_SLOT] = observation[side + LEADER_DAMAGE]
    s.level[u] = observation[side + LEVEL_SHOWN]


def read_one(observation: ByteArray, at: int, count: int) -> int:
    """Which of some entries is 1; NOWHERE if none is."""
    for i in range(count):
        if observation[at + i]:
            return i
    return NOWHERE


def read_set(observation: ByteArray, at: int) -> int:
    """A set of cards."""
    cards = 0
    for card in range(TYPES):
        cards |= int(observation[at + card]) << card
    return cards
