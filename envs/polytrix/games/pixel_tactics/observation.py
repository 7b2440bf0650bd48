"""The observation of a seat: its layout, and the code that writes it.

Numbers of the same range share a block, so that each is scaled by a bound close to its usual values. Blocks
of the own unit come first, then the opponent's. Hero slots are 0 1 2 3 5 6 7 8, without the leader's.
Frames hold sets of places as `frame.seat` sees them; the other seat sees them with the units exchanged.
"""

from __future__ import annotations

from polytrix.core.bits import first_and_rest, size
from polytrix.core.constants import Constants
from polytrix.core.layout import Axis, Layout, block
from polytrix.core.state import ByteArray

from .board.passives import (
    INTERCEPT_GIVEN,
    RANGED_GIVEN,
    ability,
    has_other_strength,
    hero_life,
    hero_strength,
    leader_adds_strength,
    leader_marks,
    steady_strength,
    with_intercept,
    with_ranged,
)
from .board.stack import ability_seat, effect_level, last_striker
from .board.units import front
from .board.zones import unseen_cards
from .cards.cards import LEADER_LIFE, LEADER_STRENGTH, NO_ABILITY, NUMBER, TYPES, Which
from .cards.effects import Mark
from .entries import HEROES_SHOWN, offset, place_of, show_bits, show_four_bits, show_four_sets, spread
from .flow.matches import trophies_needed
from .state import (
    COLUMNS,
    CORPSE_STRENGTH,
    LEADER_SLOT,
    MATCHES,
    MOST_FIXED,
    NONE,
    ROWS,
    SLOTS,
    Damage,
    Decision,
    FrameKind,
    Payoff,
    Row,
    State,
)

DECISIONS = len(Decision)
_HERO, _CARD = Axis("hero slot", 8), Axis("card", TYPES)
_PLACES = Axis("side", 2), Axis("slot", SLOTS)


class HeroMark(Constants):
    """Entries of `own_marks` and `foe_marks`."""

    LIVING, CORPSE, CAPTIVE, ACTED, FRESH, MOVED, HURT, STRUCK, RANGED, INTERCEPT, FRONT, LETHAL = range(12)


NUM_MARKS = len(HeroMark)


class LeaderMark(Constants):
    """Entries of `own_leader_marks` and `foe_leader_marks`."""

    ACTED, RANGED, FRONT = range(3)


class EffectKind(Constants):
    """Entries of `effect_kind`."""

    ATTACK, V_POWER, F_POWER, R_POWER, ORDER, LEADER = range(6)


class Most(Constants):
    """The largest numbers on cards, and the caps of the other numbers."""

    HERO_LIFE, LEADER_LIFE, LEADER_STRENGTH = 10, 36, 10
    DAMAGE, STRENGTH, BOOST, NUMBER, LEVEL, LOST = 40, 30, 20, 20, 30, 9


def _unit(whose: str) -> tuple[int, ...]:
    """The blocks of one unit."""
    return (
        block(_HERO, _CARD, meaning=f"hero or corpse on {whose} hero slots 0 1 2 3 5 6 7 8", one_hot=1),
        block(
            _HERO,
            NUM_MARKS,
            meaning="living, corpse, captive, acted, fresh, moved, hurt, struck, "
            "Ranged, Intercept, front, lethal",
        ),
        block(_HERO, meaning="life of living heroes", high=Most.HERO_LIFE),
        block(_HERO, meaning="life less damage, at least 0", high=Most.HERO_LIFE),
        block(_HERO, meaning="damage", high=Most.DAMAGE),
        block(
            _HERO,
            meaning="strength in melee against nobody in particular; "
            "of corpses that may attack 3, of a last strike its own",
            high=Most.STRENGTH,
        ),
        block(_HERO, meaning="what the strength has from BOOST", high=Most.BOOST),
        block(_CARD, meaning=f"{whose} leader card", one_hot=1),
        block(_CARD, meaning="the leader ability that it has (PT-13)", one_hot=1),
        block(3, meaning="acted, Ranged, front"),
        block(2, meaning="leader's life, life less damage", high=Most.LEADER_LIFE),
        block(meaning="leader's damage", high=Most.DAMAGE),
        block(meaning="leader's strength", high=Most.LEADER_STRENGTH),
        block(meaning="levels on the leader", high=Most.LEVEL),
    )


class Obs(Layout):
    """The blocks of an observation."""

    (
        OWN_CARD, OWN_MARKS, OWN_LIFE, OWN_LEFT, OWN_DAMAGE, OWN_STRENGTH, OWN_BOOST, OWN_LEADER, OWN_ABILITY,
        OWN_LEADER_MARKS, OWN_LEADER_LIFE, OWN_LEADER_DAMAGE, OWN_LEADER_STRENGTH, OWN_LEVEL,
    ) = _unit("own")  # fmt: skip
    (
        FOE_CARD, FOE_MARKS, FOE_LIFE, FOE_LEFT, FOE_DAMAGE, FOE_STRENGTH, FOE_BOOST, FOE_LEADER, FOE_ABILITY,
        FOE_LEADER_MARKS, FOE_LEADER_LIFE, FOE_LEADER_DAMAGE, FOE_LEADER_STRENGTH, FOE_LEVEL,
    ) = _unit("opposing")  # fmt: skip
    OWN_HAND = block(_CARD, meaning="cards in the own hand")
    OWN_KNOWN = block(_CARD, meaning="of these, what the opponent knows")
    FOE_KNOWN = block(_CARD, meaning="cards known to be in the opponent's hand")
    OWN_DECK = block(_CARD, meaning="cards in the own deck")
    FOE_UNSEEN = block(
        _CARD, meaning="the opponent's deck, unknown hand cards, cards set aside and hidden leader"
    )
    OWN_DISCARD = block(_CARD, meaning="own discard")
    FOE_DISCARD = block(_CARD, meaning="the opponent's discard")
    OWN_OUT = block(_CARD, meaning="own cards out of the game")
    FOE_OUT = block(_CARD, meaning="the opponent's cards out of the game")
    OWN_IN_PLAY = block(_CARD, meaning="own cards that are being carried out")
    FOE_IN_PLAY = block(_CARD, meaning="the opponent's cards that are being carried out")
    OWN_ASIDE = block(_CARD, meaning="own cards set aside by SIFT")
    OWN_TOP = block(MOST_FIXED, _CARD, meaning="fixed top cards of the own deck, from the top", one_hot=1)
    COUNTS = block(4, meaning="cards in hand own, foe; in the deck own, foe", high=TYPES)
    FIXED = block(2, meaning="fixed top cards of the deck own, foe", high=MOST_FIXED)
    WAVE = block(ROWS, meaning="V, F, R; before a match V if it is known who begins", one_hot=1)
    TURN = block(4, meaning="I am first (before a match: will be), I am active, I am the mover, ceasefire")
    ROUNDS = block(3, meaning="round, rounds left, the option max_rounds", high=100)
    ACTIONS = block(meaning="actions left in this turn", high=12)
    LOST = block(4, meaning="actions to lose in the next wave own, foe; lost in this one", high=Most.LOST)
    WARD = block(2, meaning="WARD own, foe")
    PLAYED = block(2, meaning="orders played in this wave own, foe", high=Most.LOST)
    MATCH = block(meaning="number of the match", high=MATCHES)
    TROPHIES = block(3, meaning="trophies own, foe, needed", high=3)
    OPTIONS = block(5, meaning="one-hot best_of 1, 3, 5; orders_in_ceasefire; payoff is trophies")
    DECISION = block(DECISIONS, meaning=", ".join(Decision.names()), one_hot=1)
    EFFECT_KIND = block(6, meaning="top effect: attack, power V, F, R, order, leader ability", one_hot=1)
    EFFECT_CARD = block(_CARD, meaning="its card; if a power is copied, the original", one_hot=1)
    EFFECT_MINE = block(meaning="it is my effect")
    EFFECT_SLOT = block(*_PLACES, meaning="its hero, own and opposing slots", one_hot=2)
    PICKED = block(
        *_PLACES,
        meaning="slots picked already, or still to come: of a sweep, at the end of a wave",
    )
    SUBJECT = block(
        *_PLACES,
        meaning="whom the question is about: hit, picked first or for an amount, fallen, about to strike",
        one_hot=2,
    )
    NUMBER = block(meaning="damage pending, or points, recruits, exchanges or cards left", high=Most.NUMBER)
    ATTACK_KIND = block(2, meaning="melee, ranged", one_hot=1)
    SUBJECT_CARD = block(_CARD, meaning="the card just drawn, to its owner only", one_hot=1)
    CHOSEN_ROW = block(ROWS, meaning="row chosen for recruits", one_hot=1)
    CHOSEN_COLUMN = block(COLUMNS, meaning="column chosen", one_hot=1)
    CHAIN = block(_CARD, meaning="orders being carried out")
    CLOCK = block(meaning="127 x decisions / max_decisions, rounded down", high=127)


FOE_SIDE = Obs.FOE_CARD
"""Added to the offset of a block of the own unit, it gives the opposing unit's."""


def observe(s: State, seat: int, out: ByteArray) -> None:
    """Write the position as `seat` may know it."""
    foe = 1 - seat
    if s.revealed:
        show_unit(s, seat, out, 0)
        show_unit(s, foe, out, FOE_SIDE)
    elif s.leader[seat] >= 0:
        out[Obs.OWN_LEADER + int(s.leader[seat])] = 1
    show_zones(s, seat, out)
    show_match(s, seat, out)
    out[Obs.DECISION + (s.decision if s.mover >= 0 else Decision.NONE)] = 1
    if s.depth > 0:
        show_effect(s, seat, out)
    if s.drawn >= 0 and s.active == seat:
        out[Obs.SUBJECT_CARD + s.drawn] = 1


# -- the units ------------------------------------------------------------------------------------


def show_unit(s: State, u: int, out: ByteArray, side: int) -> None:
    """Write a unit. Before the leaders are revealed there is nothing in it (PT-10)."""
    heroes, fronts = int(s.heroes[u]), front(s, u)
    leader_adds = leader_adds_strength(s, u)
    shooters, interceptors, lethal = 0, 0, 0
    left = heroes
    while left:
        slot, left = first_and_rest(left)
        place = offset(side + place_of(slot))
        card, damage, boost = int(s.card[u, slot]), int(s.damage[u, slot]), int(s.boost[u, slot])
        lives = hero_life(s, u, slot)
        if leader_adds | has_other_strength(s, u, slot):
            power = hero_strength(s, u, slot, NONE, Damage.MELEE)
        else:
            power = steady_strength(s, u, slot)
        shooters |= int(RANGED_GIVEN[card, slot])
        interceptors |= int(INTERCEPT_GIVEN[card, slot])
        lethal |= int(damage >= lives) << slot
        out[side + Obs.OWN_CARD + TYPES * place_of(slot) + card] = 1
        out[place + Obs.OWN_LIFE] = lives
        out[place + Obs.OWN_LEFT] = max(0, lives - damage)
        out[place + Obs.OWN_DAMAGE] = min(Most.DAMAGE, damage)
        out[place + Obs.OWN_BOOST] = min(Most.BOOST, boost)
        out[place + Obs.OWN_STRENGTH] = min(Most.STRENGTH, power)
    shooters = with_ranged(s, u, shooters)
    show_leader(s, u, out, side, shooters, fronts)
    if s.corpses[u]:
        show_corpses(s, u, out, side)
    if heroes | int(s.corpses[u]):
        show_marks(s, u, out, side, with_intercept(s, u, interceptors), shooters, fronts, lethal)


def show_leader(s: State, u: int, out: ByteArray, side: int, shooters: int, fronts: int) -> None:
    """Write a revealed leader, with its present ability (PT-13)."""
    side = offset(side)
    out[side + Obs.OWN_LEADER + int(s.leader[u])] = 1
    has = ability(s, u)
    if has != NO_ABILITY:
        out[side + Obs.OWN_ABILITY + has] = 1
    lives, damage = int(LEADER_LIFE[has]), int(s.damage[u, LEADER_SLOT])
    out[side + Obs.OWN_LEADER_MARKS + LeaderMark.ACTED] = int(s.acted[u]) >> LEADER_SLOT & 1
    out[side + Obs.OWN_LEADER_MARKS + LeaderMark.RANGED] = shooters >> LEADER_SLOT & 1
    out[side + Obs.OWN_LEADER_MARKS + LeaderMark.FRONT] = fronts >> LEADER_SLOT & 1
    out[side + Obs.OWN_LEADER_LIFE] = lives
    out[side + Obs.OWN_LEADER_LIFE + 1] = max(0, lives - damage)
    out[side + Obs.OWN_LEADER_DAMAGE] = min(Most.DAMAGE, damage)
    out[side + Obs.OWN_LEADER_STRENGTH] = int(LEADER_STRENGTH[has])
    out[side + Obs.OWN_LEVEL] = min(Most.LEVEL, int(s.level[u]))


def show_corpses(s: State, u: int, out: ByteArray, side: int) -> None:
    """Write the corpses. They keep damage and boost until their last strike (PT-71)."""
    may_attack = leader_marks(s, u) & Mark.CORPSES_ATTACK
    striker = last_striker(s, u) if s.depth > 0 else NONE
    left = int(s.corpses[u])
    while left:
        slot, left = first_and_rest(left)
        place = side + place_of(slot)
        out[side + Obs.OWN_CARD + TYPES * place_of(slot) + int(s.card[u, slot])] = 1
        out[place + Obs.OWN_DAMAGE] = min(Most.DAMAGE, int(s.damage[u, slot]))
        out[place + Obs.OWN_BOOST] = min(Most.BOOST, int(s.boost[u, slot]))
        if slot == striker:
            power = hero_strength(s, u, slot, NONE, Damage.MELEE)
            out[place + Obs.OWN_STRENGTH] = min(Most.STRENGTH, power)
        elif may_attack:
            out[place + Obs.OWN_STRENGTH] = CORPSE_STRENGTH


def show_marks(
    s: State, u: int, out: ByteArray, side: int, interceptors: int, shooters: int, fronts: int, lethal: int
) -> None:
    """Write the marks of all hero slots.

    The marks are sets of slots. Bit k of byte i of `first` is mark k of hero i, of `others` mark 8 + k.
    """
    first = spread(int(s.heroes[u])) << HeroMark.LIVING
    first |= spread(int(s.corpses[u])) << HeroMark.CORPSE
    first |= spread(int(s.captives[u])) << HeroMark.CAPTIVE
    first |= spread(int(s.acted[u])) << HeroMark.ACTED
    first |= spread(int(s.fresh[u])) << HeroMark.FRESH
    first |= spread(int(s.moved[u])) << HeroMark.MOVED
    first |= spread(int(s.hurt[u])) << HeroMark.HURT
    first |= spread(int(s.struck[u])) << HeroMark.STRUCK
    others = spread(shooters) << HeroMark.RANGED - 8
    others |= spread(interceptors) << HeroMark.INTERCEPT - 8
    others |= spread(fronts) << HeroMark.FRONT - 8
    others |= spread(lethal) << HeroMark.LETHAL - 8
    at = offset(side + Obs.OWN_MARKS)
    for place in range(len(HEROES_SHOWN)):
        show_bits(first >> 8 * place, out, at + NUM_MARKS * place)
        show_four_bits(others >> 8 * place, out, at + NUM_MARKS * place + 8)


# -- cards and match ------------------------------------------------------------------------------


def show_zones(s: State, seat: int, out: ByteArray) -> None:
    """Write hands, decks and discards."""
    foe = 1 - seat
    show_four_sets(
        int(s.hand[seat]), int(s.known[seat]), int(s.known[foe]), int(s.deck[seat]), out, Obs.OWN_HAND
    )
    unseen = unseen_cards(s, foe)
    show_four_sets(unseen, int(s.discard[seat]), int(s.discard[foe]), int(s.out[seat]), out, Obs.FOE_UNSEEN)
    own_play, foe_play, aside = int(s.in_play[seat]), int(s.in_play[foe]), int(s.aside[seat])
    if s.out[foe] or own_play | foe_play | aside:
        show_four_sets(int(s.out[foe]), own_play, foe_play, aside, out, Obs.FOE_OUT)
    for place in range(int(s.fixed[seat])):
        out[Obs.OWN_TOP + TYPES * place + int(s.top[seat, place])] = 1
    out[Obs.COUNTS] = size(int(s.hand[seat]))
    out[Obs.COUNTS + 1] = size(int(s.hand[foe]))
    out[Obs.COUNTS + 2] = size(int(s.deck[seat]))
    out[Obs.COUNTS + 3] = size(int(s.deck[foe]))
    out[Obs.FIXED] = s.fixed[seat]
    out[Obs.FIXED + 1] = s.fixed[foe]


def show_match(s: State, seat: int, out: ByteArray) -> None:
    """Write round, turn, trophies and options."""
    foe = 1 - seat
    number, rounds = s.round_number, s.options.max_rounds
    if number > 0:
        out[Obs.WAVE + s.wave] = 1
        out[Obs.TURN] = s.first == seat
        out[Obs.TURN + 1] = s.active == seat
        out[Obs.ACTIONS] = min(12, s.actions)
    elif s.last_winner >= 0:  # PT-114
        out[Obs.WAVE + Row.VANGUARD] = 1
        out[Obs.TURN] = s.last_winner == seat
    out[Obs.TURN + 2] = s.mover == seat
    out[Obs.TURN + 3] = number == 1
    out[Obs.ROUNDS] = number
    out[Obs.ROUNDS + 1] = max(0, rounds - number)
    out[Obs.ROUNDS + 2] = rounds
    out[Obs.LOST] = min(Most.LOST, int(s.lose_next[seat]))
    out[Obs.LOST + 1] = min(Most.LOST, int(s.lose_next[foe]))
    out[Obs.LOST + 2] = min(Most.LOST, int(s.lose_now[seat]))
    out[Obs.LOST + 3] = min(Most.LOST, int(s.lose_now[foe]))
    out[Obs.WARD] = s.ward[seat]
    out[Obs.WARD + 1] = s.ward[foe]
    out[Obs.PLAYED] = min(Most.LOST, int(s.played[seat]))
    out[Obs.PLAYED + 1] = min(Most.LOST, int(s.played[foe]))
    out[Obs.MATCH] = s.match
    best_of = s.options.best_of
    out[Obs.TROPHIES] = s.trophies[seat]
    out[Obs.TROPHIES + 1] = s.trophies[foe]
    out[Obs.TROPHIES + 2] = trophies_needed(s)
    out[Obs.OPTIONS + (best_of - 1) // 2] = 1
    out[Obs.OPTIONS + 3] = s.options.orders_in_ceasefire
    out[Obs.OPTIONS + 4] = s.options.payoff == Payoff.TROPHIES
    out[Obs.CLOCK] = 127 * s.decisions // s.options.max_decisions


# -- the effect being carried out -----------------------------------------------------------------


def show_effect(s: State, seat: int, out: ByteArray) -> None:
    """Write the top effect, its hero, and the places picked for it."""
    show_subject(s, seat, out)
    for level in range(s.depth):
        if s.stack[level].kind == FrameKind.ORDER:
            out[Obs.CHAIN + s.stack[level].card] = 1
    level = effect_level(s)
    if level < 0:
        return
    kind, actor = s.stack[level].kind, s.stack[level].seat
    if kind == FrameKind.ATTACK:
        slot = s.stack[level].slot
        out[Obs.EFFECT_KIND + EffectKind.ATTACK] = 1
        out[Obs.ATTACK_KIND + s.stack[level].attack] = 1
        show_card(int(s.leader[actor]) if slot == LEADER_SLOT else int(s.card[actor, slot]), out)
        show_place(actor, slot, seat, out, Obs.EFFECT_SLOT)
    elif kind == FrameKind.POWER:
        out[Obs.EFFECT_KIND + EffectKind.V_POWER + s.stack[level].row] = 1
        show_card(s.stack[level].card, out)
        show_place(actor, s.stack[level].slot, seat, out, Obs.EFFECT_SLOT)
    elif kind == FrameKind.ORDER:
        out[Obs.EFFECT_KIND + EffectKind.ORDER] = 1
        show_card(s.stack[level].card, out)
    else:
        actor = ability_seat(s, level)
        out[Obs.EFFECT_KIND + EffectKind.LEADER] = 1
        if ability(s, actor) != NO_ABILITY:
            show_card(ability(s, actor), out)
    out[Obs.EFFECT_MINE] = actor == seat
    if kind in (FrameKind.POWER, FrameKind.ORDER, FrameKind.ATTACK):
        show_places(s, level, seat, out)
    if kind in (FrameKind.POWER, FrameKind.ORDER):
        if 0 <= s.stack[level].chosen_row < ROWS:
            out[Obs.CHOSEN_ROW + s.stack[level].chosen_row] = 1
        if s.stack[level].column >= 0:
            out[Obs.CHOSEN_COLUMN + s.stack[level].column] = 1
    elif s.stack[0].kind == FrameKind.WAVE_END:
        show_places(s, 0, seat, out)


def show_card(card: int, out: ByteArray) -> None:
    """Write the card of the top effect, if it is still there."""
    if card >= 0:
        out[Obs.EFFECT_CARD + card] = 1


def show_place(u: int, slot: int, seat: int, out: ByteArray, at: int) -> None:
    """Write a slot of unit u."""
    out[at + (slot if u == seat else SLOTS + slot)] = 1


def show_places(s: State, level: int, seat: int, out: ByteArray) -> None:
    """Write the places that a frame has picked or still has to treat."""
    turned = s.stack[level].seat != seat
    picked = s.stack[level].picked
    while picked:
        place, picked = first_and_rest(picked)
        out[Obs.PICKED + ((place + SLOTS) % (2 * SLOTS) if turned else place)] = 1


def show_subject(s: State, seat: int, out: ByteArray) -> None:
    """Write the hero and the number that the decision is about."""
    top = s.depth - 1
    kind, actor, slot = s.stack[top].kind, s.stack[top].seat, s.stack[top].slot
    if kind in (FrameKind.HIT, FrameKind.DEFEAT, FrameKind.STRIKE):
        show_place(actor, slot, seat, out, Obs.SUBJECT)
    elif kind in (FrameKind.ORDER, FrameKind.POWER) and s.stack[top].first >= 0:
        first = s.stack[top].first
        show_place(actor if first < SLOTS else 1 - actor, first % SLOTS, seat, out, Obs.SUBJECT)
    number = 0
    if kind in (FrameKind.HIT, FrameKind.ORDER, FrameKind.POWER):
        number = s.stack[top].left
    elif kind == FrameKind.PLAY:
        number = int(NUMBER[ability(s, actor), Which.LEADER])  # PT-92: the damage of ORDER_HIT
    out[Obs.NUMBER] = max(0, min(Most.NUMBER, number))
