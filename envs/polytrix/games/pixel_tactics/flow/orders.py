"""PT-30, PT-31, PT-91, PT-92: orders, draws and recruits, with the triggers of orders and recruits."""

from __future__ import annotations

from polytrix.core.bits import lowest

from ..board.choices import ask, place_answered
from ..board.passives import ability, leader_marks, marked
from ..board.stack import pop, push_attack, push_hit, push_order, push_strike
from ..board.units import all_heroes, place_hero, slot_at, unit_at
from ..board.zones import ask_chance, from_hand, take_top, to_hand
from ..cards.cards import NUMBER, Which
from ..cards.effects import Mark
from ..state import Chance, Damage, Decision, Frame, Row, State

# -- playing an order -----------------------------------------------------------------------------------


def step_play(s: State, f: Frame) -> None:
    """PT-91: run one step of playing an order."""
    step = f.step
    if step == 0:
        begin_order(s, f)
    elif step == 1:
        end_order(s, f)
    elif step == 2:
        hit_after_order(s, f)
    else:
        shoot_after_order(s, f)


def begin_order(s: State, f: Frame) -> None:
    """Take the card from the hand and carry out its order, unless one of its type is on the stack (PT-94)."""
    seat, card = f.seat, f.card
    from_hand(s, seat, card)
    s.in_play[seat] |= 1 << card
    s.played[seat] += 1
    first = s.played[seat] == 1 and s.wave == Row.REAR and s.round_number > 1
    f.flag = 1 if first and marked(s, seat, Mark.FIRST_ORDER_SHOT) else 0
    f.step = 1
    push_order(s, seat, card)


def end_order(s: State, f: Frame) -> None:
    """Discard the card; PT-92: ask for the target of the leader's shot."""
    seat, card = f.seat, f.card
    s.in_play[seat] &= ~(1 << card)
    s.discard[seat] |= 1 << card
    heroes = all_heroes(s, seat)
    if leader_marks(s, seat) & Mark.ORDER_HIT and heroes:
        f.step = 2
        f.left = NUMBER[ability(s, seat), Which.LEADER]
        ask(s, seat, Decision.PICK, heroes, False)
    else:
        prepare_shots(f)


def hit_after_order(s: State, f: Frame) -> None:
    """PT-92: deal the damage of the leader's shot."""
    place = place_answered(s)
    prepare_shots(f)
    push_hit(s, unit_at(f.seat, place), slot_at(place), f.left, Damage.LEADER)


def prepare_shots(f: Frame) -> None:
    """PT-92: list the rear slots, after the first order of a rear wave."""
    f.step = 3
    f.picked = 0b111 << 3 * Row.REAR if f.flag else 0


def shoot_after_order(s: State, f: Frame) -> None:
    """PT-92: let the next rear hero that shoots after the first order attack, in the order of slots."""
    seat = f.seat
    left = f.picked & marked(s, seat, Mark.FIRST_ORDER_SHOT) & ~int(s.moved[seat])
    if left == 0:
        pop(s)
        return
    slot = lowest(left)
    f.picked &= ~((2 << slot) - 1)
    push_attack(s, seat, slot, Damage.RANGED, False)


# -- recruiting and drawing -------------------------------------------------------------------------------


def step_recruit(s: State, f: Frame) -> None:
    """PT-31: the hand card becomes a hero, which may attack at once for a leader with RECRUIT_STRIKE."""
    seat, slot = f.seat, f.slot
    pop(s)
    from_hand(s, seat, f.card)
    place_hero(s, seat, slot, f.card)
    s.fresh[seat] |= 1 << slot
    if leader_marks(s, seat) & Mark.RECRUIT_STRIKE and s.round_number > 1:
        push_strike(s, seat, slot, True)


def step_draw(s: State, f: Frame) -> None:
    """PT-30: draw cards until the number or the deck is used up."""
    seat = f.seat
    while f.left > 0 and s.deck[seat]:
        if s.fixed[seat] == 0:
            ask_chance(s, Chance.DECK, seat)
            return
        card = take_top(s, seat)
        to_hand(s, seat, card, False)
        f.left -= 1
        if f.flag:
            s.drawn = card
    pop(s)
