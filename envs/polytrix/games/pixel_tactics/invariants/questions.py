"""PT-98: the pending decision or chance event follows from the position."""

from __future__ import annotations

from polytrix.core.bits import lowest, size
from polytrix.core.state import CHANCE

from ..cards.cards import OPERATIONS, copies, has_power
from ..cards.effects import How, Mark, Operation
from ..flow.damage import shields
from ..flow.powers import UNKNOWN, first_can_begin, is_usable
from ..state import (
    LEADER_SLOT,
    SEATS,
    SLOTS,
    Chance,
    Damage,
    Decision,
    Frame,
    FrameKind,
    OrderSource,
    Phase,
    SlotSet,
    Source,
    State,
)
from ..table.board import all_heroes, behind, empty, front, is_corpse, is_hero, members, places
from ..table.choices import UNDECIDED, only_choice
from ..table.passives import leader_marks, marked, marks, ranged, targets
from .choices import May, asks, asks_place, said
from .frames import which_of
from .operations import operation_asks


def question_fits(s: State) -> bool:
    """The pending question follows from the position; not checked in a truncated game."""
    if s.truncated:
        return True
    if s.answer != -1 or (s.mover >= 0) != (s.decision != Decision.NONE):
        return False
    if s.mover != CHANCE and (s.chance_kind != Chance.NONE or s.chance_seat >= 0):
        return False
    if s.mover < 0:
        return said(s) == 0 and bool(s.recruit_row < 0 and (s.mover == CHANCE or s.depth == 0))
    if s.decision == Decision.TURN:
        return turn_fits(s)
    fits = leader_fits(s) if s.depth == 0 else frame_asks(s, s.stack[s.depth - 1])
    return fits and only_choice(s) == UNDECIDED


# -- without a frame --------------------------------------------------------------------------------------


def leader_fits(s: State) -> bool:
    """PT-10, PT-11: seat 0 picks its leader first, then seat 1."""
    seat = 0 if s.leader[0] < 0 else 1
    return (
        s.phase == Phase.CHOOSING
        and bool(s.leader[seat] < 0)
        and asks(s, seat, Decision.LEADER, May.CARD, False)
        and bool(s.may_card == Source.HAND)
    )


def powers_known(s: State) -> bool:
    """PT-45: `can_begin` knows the first operation of each power in play."""
    for u in range(SEATS):
        left = int(s.heroes[u])
        while left:
            slot = lowest(left)
            left &= left - 1
            card, row = int(s.card[u, slot]), slot // 3
            if (
                has_power(card, row)
                and not copies(card, row)
                and first_can_begin(s, u, slot, card, row) == UNKNOWN
            ):
                return False
    return True


def turn_fits(s: State) -> bool:
    """PT-27, PT-30 to PT-39: exactly the actions that the active seat may take."""
    seat = int(s.active)
    if (
        s.depth
        or s.phase != Phase.PLAYING
        or s.mover != seat
        or said(s) & (May.CARD | May.AMOUNT | May.LINE | May.PICK)
    ):
        return False
    free, paid, fights = leader_marks(s, seat), s.actions > 0, s.actions > 0 and s.round_number > 1
    space = empty(s, seat) >> 3 * int(s.wave) & SlotSet.ROW
    recruits = s.hand[seat] and (paid or free & Mark.FREE_RECRUIT)
    orders = s.hand[seat] and (paid or free & Mark.FREE_ORDER)
    if s.round_number == 1 and not s.options.orders_in_ceasefire:
        orders = False
    clears = (paid or free & Mark.FREE_CLEAR) and not leader_marks(s, 1 - seat) & Mark.NO_CLEAR
    moves = int(s.heroes[seat]) & ~int(s.moved[seat]) if space and (paid or free & Mark.FREE_RESTRUCTURE) else 0
    if not s.may_pass or said(s) == May.PASS:  # PT-23
        return False
    if not powers_known(s):
        return False
    return bool(
        (s.may_draw != 0) == (paid and s.deck[seat] != 0)
        and s.may_recruit == (space if recruits else 0)
        and s.recruit_row == (s.wave if s.may_recruit else -1)
        and s.may_order == (OrderSource.HAND if orders else OrderSource.NONE)
        and s.may_clear == (s.corpses[seat] if clears else 0)
        and s.may_move == moves
        and s.may_move_to == (space if moves else 0)
        and attacks_fit(s, seat, fights)
    )


def attacks_fit(s: State, seat: int, fights: bool) -> bool:
    """PT-32 to PT-34, PT-38 to PT-45: exactly the attacks of the wave's row, slot by slot."""
    melee, shots, powers = int(s.may_melee), int(s.may_ranged), int(s.may_power)
    inside, shooters = members(s, seat), ranged(s, seat)
    fighters = inside | int(s.corpses[seat]) if leader_marks(s, seat) & Mark.CORPSES_ATTACK else inside
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
    """The question of the top frame."""
    kind, seat, slot = int(f.kind), int(f.seat), int(f.slot)
    if kind == FrameKind.PLAY:
        return leader_marks(s, seat) & Mark.ORDER_HIT != 0 and asks_place(
            s, seat, Decision.PICK, all_heroes(s, seat), False
        )
    if kind == FrameKind.STRIKE:
        return strike_asks(s, f)
    if kind == FrameKind.ATTACK:
        return target_asks(s, f)
    if kind == FrameKind.HIT:
        return is_hero(s, seat, slot) and asks_place(
            s, seat, Decision.REDIRECT, places(shields(s, seat, slot), 0), True
        )
    if kind == FrameKind.DEFEAT:
        return asks_place(s, 1 - seat, Decision.CAPTURE, places(empty(s, 1 - seat), 0), True)
    return kind != FrameKind.DRAW and operation_asks(s, f)


def strike_asks(s: State, f: Frame) -> bool:
    """STRIKE: an attack of the hero."""
    seat, slot = int(f.seat), int(f.slot)
    bit = 1 << slot
    if not is_hero(s, seat, slot) or int(s.moved[seat]) & bit:
        return False
    power = bit if is_usable(s, seat, slot, int(s.card[seat, slot]), slot // 3) else 0
    return (
        asks(s, seat, Decision.STRIKE, May.ATTACK, f.flag != 0)
        and bool(s.may_melee == front(s, seat) & bit)
        and bool(s.may_ranged == ranged(s, seat) & bit)
        and bool(s.may_power == power)
    )


def target_asks(s: State, f: Frame) -> bool:
    """PT-39 to PT-44, PT-49: the target of an attack."""
    seat, slot, kind = int(f.seat), int(f.slot), int(f.attack)
    melee = kind == Damage.MELEE
    if slot != LEADER_SLOT:
        corpse = f.flag or (melee and leader_marks(s, seat) & Mark.CORPSES_ATTACK)
        if not is_hero(s, seat, slot) and not (corpse and is_corpse(s, seat, slot)):
            return False
        if melee and (f.flag or is_hero(s, seat, slot)) and marks(s, seat, slot) & Mark.SWEEP:
            return False
    reach = targets(s, seat, kind)
    if melee and leader_marks(s, 1 - seat) & Mark.AIM:
        return asks_place(s, 1 - seat, Decision.TARGET, places(reach, 0), False)
    return asks_place(s, seat, Decision.TARGET, places(0, reach), False)


# -- chance ---------------------------------------------------------------------------------------------------


def event_fits(s: State) -> bool:
    """PT-12, PT-100: the pending chance event follows from the position."""
    kind, seat = int(s.chance_kind), int(s.chance_seat)
    if kind == Chance.FIRST:
        return bool(seat < 0 and s.phase == Phase.COIN and s.depth == 0 and s.last_winner < 0)
    if seat < 0:
        return False
    if s.depth == 0:
        return bool(
            kind == Chance.DECK
            and s.phase == Phase.PLAYING
            and s.fixed[seat] == 0
            and s.deck[seat]
            and marked(s, seat, Mark.PEEK)
        )
    f = s.stack[s.depth - 1]
    if f.kind == FrameKind.DRAW:
        return bool(kind == Chance.DECK and f.seat == seat and s.fixed[seat] == 0 and s.deck[seat])
    if f.step > 1 or f.kind in (
        FrameKind.PLAY,
        FrameKind.STRIKE,
        FrameKind.ATTACK,
        FrameKind.HIT,
        FrameKind.DEFEAT,
    ):
        return False
    card, which, op = int(f.card), which_of(f), int(f.op)
    operation = int(OPERATIONS[card, which, op, 0])
    how, n = int(OPERATIONS[card, which, op, 1]), int(OPERATIONS[card, which, op, 2])
    if operation == Operation.REORDER:
        missing = s.fixed[seat] < min(n, size(int(s.deck[seat])))
        return bool(kind == Chance.DECK and f.step == 0 and f.seat == seat and missing)
    if operation == Operation.SIFT:
        return bool(kind == Chance.DECK and f.seat == seat and s.fixed[seat] == 0 and s.deck[seat])
    if operation == Operation.FOE_DISCARD:
        return bool(kind == Chance.DISCARD and f.seat != seat and s.hand[seat])
    return bool(
        operation == Operation.USE
        and how == How.USE_RANDOM
        and kind == Chance.STEAL
        and f.seat != seat
        and s.hand[seat]
    )
