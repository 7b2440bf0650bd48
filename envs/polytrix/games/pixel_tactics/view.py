"""The observation of a seat.

The blocks are those of `sight.py`. Sets of places lie in frames as `frame.seat` sees them, and are turned
round for the other seat.
"""

from __future__ import annotations

from polytrix.core.state import ByteArray

from .board import front
from .cards import LEADER, NO_ABILITY, NUMBER, TYPES
from .effects import CORPSES_ATTACK
from .knowledge import unseen_cards
from .passives import ability, hero_strength, intercepting, leader_marks, life, ranged, strength
from .sets import lowest, size
from .sight import (
    ACTED,
    ATTACKING,
    CAPTIVE,
    CORPSE,
    FRESH,
    FRONT,
    HURT,
    INTERCEPT,
    LEADER_ACTED,
    LEADER_EFFECT,
    LEADER_FRONT,
    LEADER_RANGED,
    LETHAL,
    LIVING,
    MOST_BOOST,
    MOST_DAMAGE,
    MOST_LEVEL,
    MOST_LOST,
    MOST_NUMBER,
    MOST_STRENGTH,
    MOVED,
    OBSERVATIONS,
    ORDER_EFFECT,
    RANGED,
    STRUCK,
    V_POWER,
)
from .state import (
    ATTACK_FRAME,
    BY_MELEE,
    BY_TROPHIES,
    CORPSE_STRENGTH,
    DEFEAT_FRAME,
    HIT_FRAME,
    LEADER_SLOT,
    NO_DECISION,
    ORDER_FRAME,
    PLAY_FRAME,
    POWER_FRAME,
    ROWS,
    SLOTS,
    STRIKE_FRAME,
    VANGUARD,
    WAVE_FRAME,
    State,
)

FOE_SIDE = OBSERVATIONS.offset("foe_card")  # added to an offset of the own side
CARDS_SHOWN = OBSERVATIONS.offset("own_card")
MARKS_SHOWN = OBSERVATIONS.offset("own_marks")
LIFE_SHOWN = OBSERVATIONS.offset("own_life")
LEFT_SHOWN = OBSERVATIONS.offset("own_left")
DAMAGE_SHOWN = OBSERVATIONS.offset("own_damage")
STRENGTH_SHOWN = OBSERVATIONS.offset("own_strength")
BOOST_SHOWN = OBSERVATIONS.offset("own_boost")
LEADER_CARD = OBSERVATIONS.offset("own_leader")
ABILITY = OBSERVATIONS.offset("own_ability")
LEADER_MARKS = OBSERVATIONS.offset("own_leader_marks")
LEADER_LIFE_SHOWN = OBSERVATIONS.offset("own_leader_life")
LEADER_DAMAGE = OBSERVATIONS.offset("own_leader_damage")
LEADER_STRENGTH_SHOWN = OBSERVATIONS.offset("own_leader_strength")
LEVEL_SHOWN = OBSERVATIONS.offset("own_level")
OWN_HAND = OBSERVATIONS.offset("own_hand")
OWN_KNOWN = OBSERVATIONS.offset("own_known")
FOE_KNOWN = OBSERVATIONS.offset("foe_known")
OWN_DECK = OBSERVATIONS.offset("own_deck")
FOE_UNSEEN = OBSERVATIONS.offset("foe_unseen")
OWN_DISCARD = OBSERVATIONS.offset("own_discard")
FOE_DISCARD_SHOWN = OBSERVATIONS.offset("foe_discard")
OWN_OUT = OBSERVATIONS.offset("own_out")
FOE_OUT = OBSERVATIONS.offset("foe_out")
OWN_IN_PLAY = OBSERVATIONS.offset("own_in_play")
FOE_IN_PLAY = OBSERVATIONS.offset("foe_in_play")
OWN_ASIDE = OBSERVATIONS.offset("own_aside")
OWN_TOP = OBSERVATIONS.offset("own_top")
COUNTS = OBSERVATIONS.offset("counts")
FIXED_SHOWN = OBSERVATIONS.offset("fixed")
WAVE_SHOWN = OBSERVATIONS.offset("wave")
TURN = OBSERVATIONS.offset("turn")
ROUNDS = OBSERVATIONS.offset("rounds")
ACTIONS_LEFT = OBSERVATIONS.offset("actions")
LOST = OBSERVATIONS.offset("lost")
WARD_SHOWN = OBSERVATIONS.offset("ward")
PLAYED = OBSERVATIONS.offset("played")
MATCH = OBSERVATIONS.offset("match")
TROPHIES = OBSERVATIONS.offset("trophies")
OPTIONS_SHOWN = OBSERVATIONS.offset("options")
DECISION = OBSERVATIONS.offset("decision")
EFFECT_KIND = OBSERVATIONS.offset("effect_kind")
EFFECT_CARD = OBSERVATIONS.offset("effect_card")
EFFECT_MINE = OBSERVATIONS.offset("effect_mine")
EFFECT_SLOT = OBSERVATIONS.offset("effect_slot")
PICKED = OBSERVATIONS.offset("picked")
SUBJECT = OBSERVATIONS.offset("subject")
NUMBER_SHOWN = OBSERVATIONS.offset("number")
ATTACK_KIND = OBSERVATIONS.offset("attack_kind")
SUBJECT_CARD = OBSERVATIONS.offset("subject_card")
CHOSEN_ROW = OBSERVATIONS.offset("chosen_row")
CHOSEN_COLUMN = OBSERVATIONS.offset("chosen_column")
CHAIN = OBSERVATIONS.offset("chain")
CLOCK = OBSERVATIONS.offset("clock")

NUM_MARKS = 12


def observe(s: State, seat: int, out: ByteArray) -> None:
    """The position as `seat` may know it."""
    foe = 1 - seat
    show_heroes(s, seat, out, 0)
    show_heroes(s, foe, out, FOE_SIDE)
    if s.revealed:
        show_leader(s, seat, out, 0)
        show_leader(s, foe, out, FOE_SIDE)
    elif s.leader[seat] >= 0:
        out[LEADER_CARD + int(s.leader[seat])] = 1
    show_zones(s, seat, out)
    show_match(s, seat, out)
    out[DECISION + (int(s.decision) if s.mover >= 0 else NO_DECISION)] = 1
    if s.depth > 0:
        show_effect(s, seat, out)
    if s.drawn >= 0 and s.active == seat:
        out[SUBJECT_CARD + int(s.drawn)] = 1


def show_set(cards: int, out: ByteArray, at: int) -> None:
    """A set of cards."""
    for card in range(TYPES):
        out[at + card] = cards >> card & 1


# -- the units ------------------------------------------------------------------------------------


def show_heroes(s: State, u: int, out: ByteArray, side: int) -> None:
    """Heroes and corpses of a unit."""
    heroes, corpses = int(s.heroes[u]), int(s.corpses[u])
    if heroes | corpses == 0:
        return
    shooters, interceptors, fronts = int(ranged(s, u)), int(intercepting(s, u)), int(front(s, u))
    may_attack = corpses if int(leader_marks(s, u)) & CORPSES_ATTACK else 0
    striker = last_striker(s, u) if corpses and s.depth > 0 else -1
    left = heroes | corpses
    while left:
        slot = lowest(left)
        bit = 1 << slot
        left ^= bit
        place = slot if slot < LEADER_SLOT else slot - 1
        out[side + CARDS_SHOWN + TYPES * place + int(s.card[u, slot])] = 1
        marks = side + MARKS_SHOWN + NUM_MARKS * place
        out[marks + ACTED] = int(s.acted[u]) >> slot & 1
        out[marks + FRESH] = int(s.fresh[u]) >> slot & 1
        out[marks + MOVED] = int(s.moved[u]) >> slot & 1
        out[marks + HURT] = int(s.hurt[u]) >> slot & 1
        out[marks + STRUCK] = int(s.struck[u]) >> slot & 1
        damage = int(s.damage[u, slot])
        out[side + DAMAGE_SHOWN + place] = min(MOST_DAMAGE, damage)
        out[side + BOOST_SHOWN + place] = min(MOST_BOOST, int(s.boost[u, slot]))
        if corpses & bit:  # with what lies on it until it has struck for the last time (PT-71)
            out[marks + CORPSE] = 1
            if slot == striker:
                out[side + STRENGTH_SHOWN + place] = min(
                    MOST_STRENGTH, int(hero_strength(s, u, slot, -1, BY_MELEE))
                )
            elif may_attack & bit:
                out[side + STRENGTH_SHOWN + place] = CORPSE_STRENGTH
            continue
        lives = int(life(s, u, slot))
        out[marks + LIVING] = 1
        out[marks + CAPTIVE] = int(s.captives[u]) >> slot & 1
        out[marks + RANGED] = shooters >> slot & 1
        out[marks + INTERCEPT] = interceptors >> slot & 1
        out[marks + FRONT] = fronts >> slot & 1
        out[marks + LETHAL] = damage >= lives
        out[side + LIFE_SHOWN + place] = lives
        out[side + LEFT_SHOWN + place] = max(0, lives - damage)
        out[side + STRENGTH_SHOWN + place] = min(MOST_STRENGTH, int(strength(s, u, slot, -1, BY_MELEE)))


def show_leader(s: State, u: int, out: ByteArray, side: int) -> None:
    """A leader that has been revealed, with the ability that it has now (PT-13)."""
    out[side + LEADER_CARD + int(s.leader[u])] = 1
    has = int(ability(s, u))
    if has != NO_ABILITY:
        out[side + ABILITY + has] = 1
    lives, damage = int(life(s, u, LEADER_SLOT)), int(s.damage[u, LEADER_SLOT])
    out[side + LEADER_MARKS + LEADER_ACTED] = int(s.acted[u]) >> LEADER_SLOT & 1
    out[side + LEADER_MARKS + LEADER_RANGED] = int(ranged(s, u)) >> LEADER_SLOT & 1
    out[side + LEADER_MARKS + LEADER_FRONT] = int(front(s, u)) >> LEADER_SLOT & 1
    out[side + LEADER_LIFE_SHOWN] = lives
    out[side + LEADER_LIFE_SHOWN + 1] = max(0, lives - damage)
    out[side + LEADER_DAMAGE] = min(MOST_DAMAGE, damage)
    out[side + LEADER_STRENGTH_SHOWN] = strength(s, u, LEADER_SLOT, -1, BY_MELEE)
    out[side + LEVEL_SHOWN] = min(MOST_LEVEL, int(s.level[u]))


# -- cards and match ------------------------------------------------------------------------------


def show_zones(s: State, seat: int, out: ByteArray) -> None:
    """Where the cards are, and how many."""
    foe = 1 - seat
    show_set(int(s.hand[seat]), out, OWN_HAND)
    show_set(int(s.known[seat]), out, OWN_KNOWN)
    show_set(int(s.known[foe]), out, FOE_KNOWN)
    show_set(int(s.deck[seat]), out, OWN_DECK)
    show_set(unseen_cards(s, foe), out, FOE_UNSEEN)
    show_set(int(s.discard[seat]), out, OWN_DISCARD)
    show_set(int(s.discard[foe]), out, FOE_DISCARD_SHOWN)
    show_set(int(s.out[seat]), out, OWN_OUT)
    show_set(int(s.out[foe]), out, FOE_OUT)
    show_set(int(s.in_play[seat]), out, OWN_IN_PLAY)
    show_set(int(s.in_play[foe]), out, FOE_IN_PLAY)
    show_set(int(s.aside[seat]), out, OWN_ASIDE)
    for place in range(int(s.fixed[seat])):
        out[OWN_TOP + TYPES * place + int(s.top[seat, place])] = 1
    out[COUNTS] = size(int(s.hand[seat]))
    out[COUNTS + 1] = size(int(s.hand[foe]))
    out[COUNTS + 2] = size(int(s.deck[seat]))
    out[COUNTS + 3] = size(int(s.deck[foe]))
    out[FIXED_SHOWN] = s.fixed[seat]
    out[FIXED_SHOWN + 1] = s.fixed[foe]


def show_match(s: State, seat: int, out: ByteArray) -> None:
    """Round, turn, trophies and options."""
    foe = 1 - seat
    number, rounds = int(s.round_number), int(s.options.max_rounds)
    if number > 0:
        out[WAVE_SHOWN + int(s.wave)] = 1
        out[TURN] = s.first == seat
        out[TURN + 1] = s.active == seat
        out[ACTIONS_LEFT] = min(12, int(s.actions))
    elif s.last_winner >= 0:  # PT-114
        out[WAVE_SHOWN + VANGUARD] = 1
        out[TURN] = s.last_winner == seat
    out[TURN + 2] = s.mover == seat
    out[TURN + 3] = number == 1
    out[ROUNDS] = number
    out[ROUNDS + 1] = max(0, rounds - number)
    out[ROUNDS + 2] = rounds
    out[LOST] = min(MOST_LOST, int(s.lose_next[seat]))
    out[LOST + 1] = min(MOST_LOST, int(s.lose_next[foe]))
    out[LOST + 2] = min(MOST_LOST, int(s.lose_now[seat]))
    out[LOST + 3] = min(MOST_LOST, int(s.lose_now[foe]))
    out[WARD_SHOWN] = s.ward[seat]
    out[WARD_SHOWN + 1] = s.ward[foe]
    out[PLAYED] = min(MOST_LOST, int(s.played[seat]))
    out[PLAYED + 1] = min(MOST_LOST, int(s.played[foe]))
    out[MATCH] = s.match
    best_of = int(s.options.best_of)
    out[TROPHIES] = s.trophies[seat]
    out[TROPHIES + 1] = s.trophies[foe]
    out[TROPHIES + 2] = (best_of + 1) // 2
    out[OPTIONS_SHOWN + (best_of - 1) // 2] = 1
    out[OPTIONS_SHOWN + 3] = s.options.orders_in_ceasefire
    out[OPTIONS_SHOWN + 4] = s.options.payoff == BY_TROPHIES
    out[CLOCK] = 127 * int(s.decisions) // int(s.options.max_decisions)
    show_set(int(s.chain_orders), out, CHAIN)


# -- the effect being carried out -----------------------------------------------------------------


def effect_level(s: State) -> int:
    """The frame of the top effect; of a leader's ability the frame whose trigger asks or deals."""
    for level in range(int(s.depth) - 1, -1, -1):
        kind = int(s.stack[level].kind)
        if kind == DEFEAT_FRAME or (kind == STRIKE_FRAME and s.stack[level].flag):
            return level  # CAPTURE or RECRUIT_STRIKE asks
        if kind in (ATTACK_FRAME, POWER_FRAME, ORDER_FRAME, PLAY_FRAME, WAVE_FRAME):
            return level
    return -1


def last_striker(s: State, u: int) -> int:
    """PT-74: the slot of unit u whose fallen hero is striking for the last time; -1 if none is."""
    level = effect_level(s)
    if level < 0 or s.stack[level].kind != ATTACK_FRAME or not s.stack[level].flag or s.stack[level].seat != u:
        return -1
    return int(s.stack[level].slot)


def ability_seat(s: State, level: int) -> int:
    """Whose leader ability asks or deals in this frame."""
    kind = int(s.stack[level].kind)
    if kind == DEFEAT_FRAME:
        return 1 - int(s.stack[level].seat)  # CAPTURE is of the other seat
    return int(s.stack[level].seat)


def show_effect(s: State, seat: int, out: ByteArray) -> None:
    """The top effect, its hero, and what has been picked for it."""
    show_subject(s, seat, out)
    level = effect_level(s)
    if level < 0:
        return
    kind, actor = int(s.stack[level].kind), int(s.stack[level].seat)
    if kind == ATTACK_FRAME:
        slot = int(s.stack[level].slot)
        out[EFFECT_KIND + ATTACKING] = 1
        out[ATTACK_KIND + int(s.stack[level].attack)] = 1
        show_card(int(s.leader[actor]) if slot == LEADER_SLOT else int(s.card[actor, slot]), out)
        show_place(actor, slot, seat, out, EFFECT_SLOT)
    elif kind == POWER_FRAME:
        out[EFFECT_KIND + V_POWER + int(s.stack[level].row)] = 1
        show_card(int(s.stack[level].card), out)
        show_place(actor, int(s.stack[level].slot), seat, out, EFFECT_SLOT)
    elif kind == ORDER_FRAME:
        out[EFFECT_KIND + ORDER_EFFECT] = 1
        show_card(int(s.stack[level].card), out)
    else:
        actor = ability_seat(s, level)
        out[EFFECT_KIND + LEADER_EFFECT] = 1
        if ability(s, actor) != NO_ABILITY:
            show_card(int(ability(s, actor)), out)
    out[EFFECT_MINE] = actor == seat
    if kind in (POWER_FRAME, ORDER_FRAME, ATTACK_FRAME):
        show_places(s, level, seat, out)
    if kind in (POWER_FRAME, ORDER_FRAME):
        if 0 <= s.stack[level].chosen_row < ROWS:
            out[CHOSEN_ROW + int(s.stack[level].chosen_row)] = 1
        if s.stack[level].column >= 0:
            out[CHOSEN_COLUMN + int(s.stack[level].column)] = 1
    elif s.stack[0].kind == WAVE_FRAME:
        show_places(s, 0, seat, out)


def show_card(card: int, out: ByteArray) -> None:
    """The card of the top effect, if it is there still."""
    if card >= 0:
        out[EFFECT_CARD + card] = 1


def show_place(u: int, slot: int, seat: int, out: ByteArray, at: int) -> None:
    """A slot of unit u, own or opposing."""
    out[at + (slot if u == seat else SLOTS + slot)] = 1


def show_places(s: State, level: int, seat: int, out: ByteArray) -> None:
    """The places that a frame has picked, or has before it."""
    turned = s.stack[level].seat != seat
    picked = int(s.stack[level].picked)
    while picked:
        place = lowest(picked)
        picked &= picked - 1
        out[PICKED + ((place + SLOTS) % (2 * SLOTS) if turned else place)] = 1


def show_subject(s: State, seat: int, out: ByteArray) -> None:
    """The hero that the decision is about, and how much."""
    top = int(s.depth) - 1
    kind, actor, slot = int(s.stack[top].kind), int(s.stack[top].seat), int(s.stack[top].slot)
    if kind in (HIT_FRAME, DEFEAT_FRAME, STRIKE_FRAME):
        show_place(actor, slot, seat, out, SUBJECT)
    elif kind in (ORDER_FRAME, POWER_FRAME) and s.stack[top].first >= 0:
        first = int(s.stack[top].first)
        show_place(actor if first < SLOTS else 1 - actor, first % SLOTS, seat, out, SUBJECT)
    number = 0
    if kind in (HIT_FRAME, ORDER_FRAME, POWER_FRAME):
        number = int(s.stack[top].left)
    elif kind == PLAY_FRAME:
        number = int(NUMBER[ability(s, actor), LEADER])  # PT-92: the damage of ORDER_HIT
    out[NUMBER_SHOWN] = max(0, min(MOST_NUMBER, number))
