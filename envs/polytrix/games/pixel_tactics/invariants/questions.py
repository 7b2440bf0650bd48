"""PT-98: who is asked, and what, follows from the position; so does what chance is asked."""

from __future__ import annotations

from polytrix.core.state import CHANCE

from ..cards.cards import PROGRAM
from ..cards.effects import (
    AIM,
    CORPSES_ATTACK,
    FOE_DISCARD,
    FREE_CLEAR,
    FREE_ORDER,
    FREE_RECRUIT,
    FREE_RESTRUCTURE,
    NO_CLEAR,
    ORDER_HIT,
    PEEK,
    REORDER,
    SIFT,
    SWEEP,
    USE,
    USE_RANDOM,
)
from ..flow.damage import shields
from ..flow.powers import is_usable
from ..state import (
    ASK_CAPTURE,
    ASK_LEADER,
    ASK_PICK,
    ASK_REDIRECT,
    ASK_STRIKE,
    ASK_TARGET,
    ASK_TURN,
    ATTACK_FRAME,
    BY_MELEE,
    CHOOSING,
    COIN,
    DEFEAT_FRAME,
    DRAW_FRAME,
    FIRST_PLAYER,
    FROM_HAND,
    HAND_ORDERS,
    HIT_FRAME,
    LEADER_SLOT,
    LOST_CARD,
    NO_CHANCE,
    NO_DECISION,
    NO_ORDERS,
    PLAY_FRAME,
    PLAYING,
    ROW_SLOTS,
    SLOTS,
    STOLEN_CARD,
    STRIKE_FRAME,
    TOP_CARD,
    Frame,
    State,
)
from ..table.board import all_heroes, behind, empty, front, is_corpse, is_hero, members, places
from ..table.choices import UNDECIDED, only_choice
from ..table.passives import leader_marks, marked, marks, ranged, targets
from ..table.sets import size
from .choices import AMOUNTS, ATTACKS, CARDS, LINES, PASSES, PICKS, asks, asks_place, said
from .frames import which_of
from .operations import program_asks


def question_fits(s: State) -> bool:
    """Who is asked, and what, where the frames fit; of a game that is cut off it does not matter any more."""
    if s.truncated:
        return True
    if s.answer != -1 or (s.mover >= 0) != (s.decision != NO_DECISION):
        return False
    if s.mover != CHANCE and (s.chance_kind != NO_CHANCE or s.chance_seat >= 0):
        return False
    if s.mover < 0:
        return said(s) == 0 and bool(s.recruit_row < 0 and (s.mover == CHANCE or s.depth == 0))
    if s.decision == ASK_TURN:
        return turn_fits(s)
    fits = leader_fits(s) if s.depth == 0 else frame_asks(s, s.stack[s.depth - 1])
    return fits and only_choice(s) == UNDECIDED


# -- without a frame --------------------------------------------------------------------------------------


def leader_fits(s: State) -> bool:
    """PT-10, PT-11: first seat 0, then seat 1 picks its leader."""
    seat = 0 if s.leader[0] < 0 else 1
    return (
        s.phase == CHOOSING
        and bool(s.leader[seat] < 0)
        and asks(s, seat, ASK_LEADER, CARDS, False)
        and bool(s.may_card == FROM_HAND)
    )


def turn_fits(s: State) -> bool:
    """PT-27, PT-30 to PT-39: all that the active seat may do, and no more."""
    seat = int(s.active)
    if s.depth or s.phase != PLAYING or s.mover != seat or said(s) & (CARDS | AMOUNTS | LINES | PICKS):
        return False
    free, paid, fights = leader_marks(s, seat), s.actions > 0, s.actions > 0 and s.round_number > 1
    space = empty(s, seat) >> 3 * int(s.wave) & ROW_SLOTS
    recruits = s.hand[seat] and (paid or free & FREE_RECRUIT)
    orders = s.hand[seat] and (paid or free & FREE_ORDER)
    if s.round_number == 1 and not s.options.orders_in_ceasefire:
        orders = False
    clears = (paid or free & FREE_CLEAR) and not leader_marks(s, 1 - seat) & NO_CLEAR
    moves = int(s.heroes[seat]) & ~int(s.moved[seat]) if space and (paid or free & FREE_RESTRUCTURE) else 0
    if not s.may_pass or said(s) == PASSES:  # PT-23
        return False
    return bool(
        (s.may_draw != 0) == (paid and s.deck[seat] != 0)
        and s.may_recruit == (space if recruits else 0)
        and s.recruit_row == (s.wave if s.may_recruit else -1)
        and s.may_order == (HAND_ORDERS if orders else NO_ORDERS)
        and s.may_clear == (s.corpses[seat] if clears else 0)
        and s.may_move == moves
        and s.may_move_to == (space if moves else 0)
        and attacks_fit(s, seat, fights)
    )


def attacks_fit(s: State, seat: int, fights: bool) -> bool:
    """PT-32 to PT-34, PT-38 to PT-45: who may attack, slot by slot of the wave's row."""
    melee, shots, powers = int(s.may_melee), int(s.may_ranged), int(s.may_power)
    inside, shooters = members(s, seat), ranged(s, seat)
    fighters = inside | int(s.corpses[seat]) if leader_marks(s, seat) & CORPSES_ATTACK else inside
    covered = behind(inside)
    done = int(s.acted[seat]) | int(s.fresh[seat]) | int(s.moved[seat])
    for slot in range(SLOTS):
        able = fights and slot // 3 == s.wave and not done >> slot & 1
        if (melee >> slot & 1) != (1 if able and fighters >> slot & 1 and not covered >> slot & 1 else 0):
            return False
        able = able and bool(inside >> slot & 1)
        if (shots >> slot & 1) != (1 if able and shooters >> slot & 1 else 0):
            return False
        able = able and slot != LEADER_SLOT
        usable = able and is_usable(s, seat, slot, int(s.card[seat, slot]), slot // 3)
        if (powers >> slot & 1) != (1 if usable else 0):
            return False
    return True


# -- frames -------------------------------------------------------------------------------------------------


def frame_asks(s: State, f: Frame) -> bool:
    """What the frame on top of the stack asks."""
    kind, seat, slot = int(f.kind), int(f.seat), int(f.slot)
    if kind == PLAY_FRAME:
        return leader_marks(s, seat) & ORDER_HIT != 0 and asks_place(
            s, seat, ASK_PICK, all_heroes(s, seat), False
        )
    if kind == STRIKE_FRAME:
        return strike_asks(s, f)
    if kind == ATTACK_FRAME:
        return target_asks(s, f)
    if kind == HIT_FRAME:
        return is_hero(s, seat, slot) and asks_place(
            s, seat, ASK_REDIRECT, places(shields(s, seat, slot), 0), True
        )
    if kind == DEFEAT_FRAME:
        return asks_place(s, 1 - seat, ASK_CAPTURE, places(empty(s, 1 - seat), 0), True)
    return kind != DRAW_FRAME and program_asks(s, f)


def strike_asks(s: State, f: Frame) -> bool:
    """STRIKE: an attack of the hero."""
    seat, slot = int(f.seat), int(f.slot)
    bit = 1 << slot
    if not is_hero(s, seat, slot) or int(s.moved[seat]) & bit:
        return False
    power = bit if is_usable(s, seat, slot, int(s.card[seat, slot]), slot // 3) else 0
    return (
        asks(s, seat, ASK_STRIKE, ATTACKS, f.flag != 0)
        and bool(s.may_melee == front(s, seat) & bit)
        and bool(s.may_ranged == ranged(s, seat) & bit)
        and bool(s.may_power == power)
    )


def target_asks(s: State, f: Frame) -> bool:
    """PT-39 to PT-44, PT-49: who is attacked."""
    seat, slot, kind = int(f.seat), int(f.slot), int(f.attack)
    melee = kind == BY_MELEE
    if slot != LEADER_SLOT:
        corpse = f.flag or (melee and leader_marks(s, seat) & CORPSES_ATTACK)
        if not is_hero(s, seat, slot) and not (corpse and is_corpse(s, seat, slot)):
            return False
        if melee and (f.flag or is_hero(s, seat, slot)) and marks(s, seat, slot) & SWEEP:
            return False
    reach = targets(s, seat, kind)
    if melee and leader_marks(s, 1 - seat) & AIM:
        return asks_place(s, 1 - seat, ASK_TARGET, places(reach, 0), False)
    return asks_place(s, seat, ASK_TARGET, places(0, reach), False)


# -- chance ---------------------------------------------------------------------------------------------------


def event_fits(s: State) -> bool:
    """PT-12, PT-100: what chance is asked."""
    kind, seat = int(s.chance_kind), int(s.chance_seat)
    if kind == FIRST_PLAYER:
        return bool(seat < 0 and s.phase == COIN and s.depth == 0 and s.last_winner < 0)
    if seat < 0:
        return False
    if s.depth == 0:
        return bool(
            kind == TOP_CARD
            and s.phase == PLAYING
            and s.fixed[seat] == 0
            and s.deck[seat]
            and marked(s, seat, PEEK)
        )
    f = s.stack[s.depth - 1]
    if f.kind == DRAW_FRAME:
        return bool(kind == TOP_CARD and f.seat == seat and s.fixed[seat] == 0 and s.deck[seat])
    if f.step > 1 or f.kind in (PLAY_FRAME, STRIKE_FRAME, ATTACK_FRAME, HIT_FRAME, DEFEAT_FRAME):
        return False
    card, which, op = int(f.card), which_of(f), int(f.op)
    operation = int(PROGRAM[card, which, op, 0])
    how, n = int(PROGRAM[card, which, op, 1]), int(PROGRAM[card, which, op, 2])
    if operation == REORDER:
        missing = s.fixed[seat] < min(n, size(int(s.deck[seat])))
        return bool(kind == TOP_CARD and f.step == 0 and f.seat == seat and missing)
    if operation == SIFT:
        return bool(kind == TOP_CARD and f.seat == seat and s.fixed[seat] == 0 and s.deck[seat])
    if operation == FOE_DISCARD:
        return bool(kind == LOST_CARD and f.seat != seat and s.hand[seat])
    return bool(
        operation == USE and how == USE_RANDOM and kind == STOLEN_CARD and f.seat != seat and s.hand[seat]
    )
