"""What holds in every position, as players would say it."""

from __future__ import annotations

from polytrix.core.bits import first_and_rest, size
from polytrix.core.invariants import invariant
from polytrix.core.state import CHANCE, OVER

from .board.choices import UNDECIDED, only_choice
from .board.passives import is_lethal, leader_marks
from .board.units import LEADER_BIT, occupied, owner
from .cards.effects import Mark
from .flow.matches import trophies_needed
from .flow.turn import nothing_to_do
from .flow.wave import last_standing
from .rules import chance
from .state import (
    ALL_CARDS,
    LEADER_SLOT,
    MOST_FIXED,
    OPENING_HAND,
    SEATS,
    SLOTS,
    Chance,
    Decision,
    FrameKind,
    Phase,
    Result,
    Row,
    State,
)

DEEPEST = 29
"""PT-94: the most effects that are carried out within one another, and a draw."""

# -- cards --------------------------------------------------------------------------------------------


@invariant
def leaders_are_revealed_together(before: State, s: State) -> bool:
    """PT-11: both leaders are picked face down, then both are revealed."""
    hidden = s.phase in (Phase.DEALING, Phase.CHOOSING)
    return s.revealed != hidden and bool(hidden or (s.leader[0] >= 0 and s.leader[1] >= 0))


@invariant
def each_slot_holds_one_card(before: State, s: State) -> bool:
    """PT-02, PT-04, PT-76: a hero slot holds a hero, a corpse or nothing; captives are heroes."""
    for u in range(SEATS):
        heroes = int(s.heroes[u])
        if heroes & int(s.corpses[u]) or int(s.captives[u]) & ~heroes:
            return False
        for slot in range(SLOTS):
            if (s.card[u, slot] >= 0) != (occupied(s, u) >> slot & 1):
                return False
    return True


@invariant
def each_card_is_in_one_place(before: State, s: State) -> bool:
    """PT-01: each of a seat's 25 cards is in exactly one place."""
    for seat in range(SEATS):
        found = 1 << int(s.leader[seat]) if s.revealed else 0
        for zone in (s.out, s.hand, s.deck, s.discard, s.in_play, s.aside):
            if found & int(zone[seat]):
                return False
            found |= int(zone[seat])
        for u in range(SEATS):
            left = occupied(s, u)
            while left:
                slot, left = first_and_rest(left)
                if owner(s, u, slot) == seat:
                    if found >> int(s.card[u, slot]) & 1:
                        return False
                    found |= 1 << int(s.card[u, slot])
        if found != ALL_CARDS:
            return False
    return True


@invariant
def known_cards_are_in_hand(before: State, s: State) -> bool:
    """PT-103, PT-106: the other seat knows cards of the hand only; all of them, if its leader says so."""
    for seat in range(SEATS):
        known, hand = int(s.known[seat]), int(s.hand[seat])
        if known & ~hand or (leader_marks(s, 1 - seat) & Mark.OPEN_HAND and known != hand):
            return False
    return True


@invariant
def fixed_cards_are_in_the_deck(before: State, s: State) -> bool:
    """PT-101: the cards known to lie on top of a deck are different cards of it."""
    for seat in range(SEATS):
        left = int(s.deck[seat])
        for i in range(MOST_FIXED):
            card = int(s.top[seat, i])
            if (card >= 0) != (i < s.fixed[seat]):
                return False
            if card >= 0:
                if not left >> card & 1:
                    return False
                left ^= 1 << card
    return True


# -- effects --------------------------------------------------------------------------------------------


@invariant
def no_effect_is_within_itself(before: State, s: State) -> bool:
    """PT-94: no order or power is carried out within itself, and there are never too many at once."""
    for i in range(s.depth):
        f = s.stack[i]
        for j in range(i):
            g = s.stack[j]
            if f.kind in (FrameKind.ORDER, FrameKind.POWER) and (f.kind, f.card, f.row) == (
                g.kind,
                g.card,
                g.row,
            ):
                return False
    return s.depth <= DEEPEST


@invariant
def nothing_is_pending_in_a_turn(before: State, s: State) -> bool:
    """PT-90: when a seat has the turn, nothing is being carried out, played or set aside."""
    if s.decision != Decision.TURN:
        return True
    cards = s.in_play[0] | s.in_play[1] | s.aside[0] | s.aside[1]
    return s.depth == 0 and s.drawn < 0 and bool(cards == 0)


@invariant
def only_the_living_are_hurt(before: State, s: State) -> bool:
    """PT-26, PT-60, PT-71: damage and marks lie on cards; in a turn only living members are hurt."""
    for u in range(SEATS):
        cards, hurt = occupied(s, u), int(s.hurt[u]) | int(s.struck[u])
        if (hurt | int(s.fresh[u]) | int(s.moved[u])) & ~cards or int(s.acted[u]) & ~(cards | LEADER_BIT):
            return False
        for slot in range(SLOTS):
            if slot != LEADER_SLOT and (s.damage[u, slot] > 0 or s.boost[u, slot] > 0):
                hurt |= 1 << slot
        if hurt & ~(int(s.heroes[u]) if s.decision == Decision.TURN else cards):
            return False
    return True


# -- the course of play ---------------------------------------------------------------------------------


@invariant
def time_goes_forward(before: State, s: State) -> bool:
    """PT-20, PT-21, PT-83: matches, rounds, waves and turns follow each other, up to the last round."""
    begun = s.round_number > 0
    if (s.first >= 0) != begun or (s.active >= 0) != begun or (s.wave >= 0) != begun:
        return False
    return moment(before) <= moment(s) and s.round_number <= s.options.max_rounds


def moment(s: State) -> int:
    """A number that grows with every turn."""
    return ((s.match * 128 + s.round_number) * 4 + s.wave + 1) * 2 + (s.active != s.first)


@invariant
def a_match_begins_with_opening_hands(before: State, s: State) -> bool:
    """PT-10, PT-112: before the first round nobody is on the field, and the hands are opening hands."""
    if s.round_number:
        return True
    for seat in range(SEATS):
        if (
            occupied(s, seat)
            or s.discard[seat]
            or s.damage[seat, LEADER_SLOT]
            or s.acted[seat]
            or s.level[seat]
        ):
            return False
        cards = OPENING_HAND + int(s.trophies[1 - seat]) - s.revealed
        if s.phase != Phase.DEALING and size(int(s.hand[seat])) != cards:
            return False
    return s.actions == 0


@invariant
def trophies_are_those_of_matches(before: State, s: State) -> bool:
    """PT-110 to PT-115: each match but the last has put a leader out of the game, and given a trophy."""
    ended, needed = s.match - (s.phase != Phase.OVER), trophies_needed(s)
    for seat in range(SEATS):
        won, out = int(s.trophies[seat]), size(int(s.out[seat]))
        if out != s.match - 1 or won > min(ended, needed) or (won == needed and s.result != seat):
            return False
    return int(s.trophies[0]) + int(s.trophies[1]) >= min(ended, 2 * (needed - 1))


@invariant
def the_game_ends_with_its_last_match(before: State, s: State) -> bool:
    """PT-80 to PT-83, PT-116: the game is over at its end or its limit; the board says who has won."""
    if s.mover != OVER or s.truncated:
        return s.result == Result.RUNNING
    return s.result == result_of(s) != Result.RUNNING


def result_of(s: State) -> int:
    """PT-80 to PT-83: the result of the match, read from the board."""
    south, north = is_lethal(s, 0, LEADER_SLOT), is_lethal(s, 1, LEADER_SLOT)
    if south and north:
        return last_standing(s)
    if not south and not north:
        return Result.TIE if s.round_number == s.options.max_rounds and s.wave == Row.REAR else Result.RUNNING
    return 1 if south else 0


@invariant
def the_phase_is_that_of_the_question(before: State, s: State) -> bool:
    """PT-11, PT-23, PT-69: leaders, turns and the ends of waves have their phases, and so has the end."""
    if s.mover < 0:
        return s.truncated == 1 or (s.mover == OVER) == (s.phase == Phase.OVER)
    if s.decision == Decision.LEADER:
        return s.phase == Phase.CHOOSING
    ends = s.depth > 0 and s.stack[0].kind == FrameKind.WAVE_END
    return s.phase == (Phase.CLOSED if ends else Phase.PLAYING)


@invariant
def chance_draws_for_a_seat(before: State, s: State) -> bool:
    """PT-12, PT-100: chance draws from the deck or hand of a seat, or names the first player."""
    named = s.chance_kind not in (Chance.NONE, Chance.FIRST)
    return (s.chance_kind != Chance.NONE) == (s.mover == CHANCE) and named == (s.chance_seat >= 0)


# -- choices --------------------------------------------------------------------------------------------


@invariant
def who_is_asked_has_a_choice(before: State, s: State) -> bool:
    """PT-23, PT-98: a seat that is asked has more than one legal action, and chance more than one outcome."""
    if s.truncated:
        return s.mover == OVER
    if s.mover == CHANCE and chance(s) < 2:
        return False
    if s.mover < 0 or s.decision == Decision.NONE:
        return s.mover < 0 and s.decision == Decision.NONE
    if s.decision == Decision.TURN:
        return s.mover == s.active and not nothing_to_do(s)
    return only_choice(s) == UNDECIDED
