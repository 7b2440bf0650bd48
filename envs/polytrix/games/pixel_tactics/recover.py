"""Rebuild a board from an observation: the viewer becomes seat 0 of a record, the opponent seat 1."""

from __future__ import annotations

from polytrix.core.layout import hot
from polytrix.core.state import ByteArray

from .cards.cards import TYPES
from .observation import FOE_SIDE, NUM_MARKS, HeroMark, LeaderMark, Obs
from .state import LEADER_SLOT, SLOTS, State

OWN, FOE = 0, 1
NOWHERE = -1


def read_board(observation: ByteArray, s: State) -> None:
    """Write the units, the leaders and the own hand into `s`: everything that strength and reach depend on."""
    read_unit(observation, s, OWN, 0)
    read_unit(observation, s, FOE, FOE_SIDE)
    s.revealed = s.leader[FOE] >= 0
    s.first = OWN if observation[Obs.TURN] else FOE
    s.round_number = observation[Obs.ROUNDS]
    s.hand[OWN] = read_set(observation, Obs.OWN_HAND)


def read_unit(observation: ByteArray, s: State, u: int, side: int) -> None:
    """Read a unit and its marks."""
    s.heroes[u] = 0
    s.corpses[u] = 0
    s.captives[u] = 0
    s.acted[u] = int(observation[side + Obs.OWN_LEADER_MARKS + LeaderMark.ACTED]) << LEADER_SLOT
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
        at = side + Obs.OWN_MARKS + NUM_MARKS * place
        if observation[at + HeroMark.LIVING] | observation[at + HeroMark.CORPSE] == 0:
            continue
        s.card[u, slot] = hot(observation, side + Obs.OWN_CARD + TYPES * place, TYPES)
        s.damage[u, slot] = observation[side + Obs.OWN_DAMAGE + place]
        s.boost[u, slot] = observation[side + Obs.OWN_BOOST + place]
        s.heroes[u] |= int(observation[at + HeroMark.LIVING]) << slot
        s.corpses[u] |= int(observation[at + HeroMark.CORPSE]) << slot
        s.captives[u] |= int(observation[at + HeroMark.CAPTIVE]) << slot
        s.acted[u] |= int(observation[at + HeroMark.ACTED]) << slot
        s.fresh[u] |= int(observation[at + HeroMark.FRESH]) << slot
        s.moved[u] |= int(observation[at + HeroMark.MOVED]) << slot
        s.hurt[u] |= int(observation[at + HeroMark.HURT]) << slot
    s.leader[u] = hot(observation, side + Obs.OWN_LEADER, TYPES)
    s.damage[u, LEADER_SLOT] = observation[side + Obs.OWN_LEADER_DAMAGE]
    s.level[u] = observation[side + Obs.OWN_LEVEL]


def read_set(observation: ByteArray, at: int) -> int:
    """Read a set of cards."""
    cards = 0
    for card in range(TYPES):
        cards |= int(observation[at + card]) << card
    return cards
