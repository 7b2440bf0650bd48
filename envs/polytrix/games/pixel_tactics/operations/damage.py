"""Operations that deal, heal or move damage."""

from __future__ import annotations

from polytrix.core.bits import lowest

from ..board.choices import amount_answered, ask, place_answered
from ..board.passives import reduced, thorns
from ..board.stack import next_operation, push_hit
from ..board.units import all_damaged, all_heroes, damaged, front, is_hero, places, slot_at, unit_at
from ..cards.cards import LIFE
from ..cards.effects import REVIVED_LIFE, How, Operation
from ..flow.damage import drain, heal, move_damage
from ..state import LEADER_SLOT, SLOTS, Damage, Decision, Frame, SlotSet, State


def damage_operation(s: State, f: Frame, operation: int, how: int, n: int, k: int) -> None:
    """Run one step of an operation of this file."""
    if operation == Operation.HIT:
        hit(s, f, how, n)
    elif operation == Operation.HIT_ALL:
        hit_all(s, f, how, n)
    elif operation == Operation.PING:
        ping(s, f, n, k)
    elif operation == Operation.SPLIT_HIT:
        split_hit(s, f, n)
    elif operation == Operation.HEAL:
        heal_some(s, f, how, n, k)
    elif operation == Operation.SPLIT_HEAL:
        split_heal(s, f, n)
    elif operation == Operation.GATHER:
        gather(s, f, n)
    else:
        shift(s, f, how, n)


# -- dealing ------------------------------------------------------------------------------------------


def hit(s: State, f: Frame, how: int, n: int) -> None:
    """HIT: one hit on the opposing leader or on this hero."""
    seat = f.seat
    if f.step == 1:
        finish_power_hit(s, f)
        next_operation(f)
    elif how == How.HIT_FOE_LEADER:
        f.step = 1
        hit_by_power(s, f, LEADER_SLOT + SLOTS, n)
    else:
        amount = int(LIFE[f.kept]) if n == REVIVED_LIFE else n
        next_operation(f)
        push_hit(s, seat, f.slot, amount, Damage.ITSELF)


def hit_by_power(s: State, f: Frame, place: int, n: int) -> None:
    """PT-50: hit a place with a power; guards and thorns treat it as an attack."""
    seat = f.seat
    u, slot = unit_at(seat, place), slot_at(place)
    f.thorns = thorns(s, u, 1 << slot, Damage.POWER) if u != seat else 0
    push_hit(s, u, slot, reduced(s, u, slot, Damage.POWER, n), Damage.POWER)


def finish_power_hit(s: State, f: Frame) -> None:
    """PT-51: drain, then suffer thorns."""
    drain(s, f)
    if f.thorns > 0:
        push_hit(s, f.seat, f.slot, f.thorns, Damage.THORNS)
    f.thorns = 0


def ping(s: State, f: Frame, n: int, k: int) -> None:
    """PING: hit up to k different heroes; each is picked after the hit on the one before."""
    seat = f.seat
    if f.step == 0:
        f.left = k
        f.step = 1
    elif f.step == 1:
        unpicked = all_heroes(s, seat) & ~f.picked
        if unpicked and f.left > 0:
            f.step = 2
            ask(s, seat, Decision.PICK, unpicked, f.left < k)
        else:
            next_operation(f)
    elif f.step == 2:
        place = place_answered(s)
        f.picked |= 1 << place
        f.left -= 1
        f.step = 3
        hit_by_power(s, f, place, n)
    else:
        f.step = 1
        finish_power_hit(s, f)


def hit_all(s: State, f: Frame, how: int, n: int) -> None:
    """HIT_ALL: hit a set of heroes, or the opposing front members; the set is fixed first (PT-65)."""
    seat = f.seat
    if f.step == 0:
        f.picked = hit_all_places(s, f, how)
        f.step = 1
    left = f.picked
    if left == 0:
        next_operation(f)
        return
    opposing = left >> SLOTS << SLOTS  # PT-65: they come first
    place = lowest(opposing if opposing else left)
    f.picked = left & ~(1 << place)
    push_hit(s, unit_at(seat, place), slot_at(place), n, Damage.ORDER)


def hit_all_places(s: State, f: Frame, how: int) -> int:
    """The targets of HIT_ALL."""
    seat = f.seat
    if how == How.HIT_ALL_FRONT_MEMBER:
        return places(0, front(s, 1 - seat))
    if how != How.HIT_ALL_COLUMN:
        line = SlotSet.ROW << 3 * how
    elif f.column >= 0:
        line = SlotSet.COLUMN << f.column
    else:
        return 0
    return all_heroes(s, seat) & places(line, line)


def split_hit(s: State, f: Frame, n: int) -> None:
    """SPLIT_HIT: divide exactly n points of damage among heroes."""
    seat = f.seat
    if f.step == 0:
        f.left = n
        f.step = 1
    unpicked = all_heroes(s, seat) & ~f.picked
    if f.step == 1:
        if unpicked and f.left > 0:
            f.step = 2
            ask(s, seat, Decision.PICK, unpicked, False)
        else:
            next_operation(f)
    elif f.step == 2:
        place = place_answered(s)
        f.first = place
        f.picked |= 1 << place
        f.step = 3
        least = 1 if unpicked & ~(1 << place) else f.left
        if least < f.left:
            ask(s, seat, Decision.AMOUNT, f.left, False)
        else:
            deal_share(s, f, f.left)
    else:
        deal_share(s, f, amount_answered(s))


def deal_share(s: State, f: Frame, amount: int) -> None:
    """Deal the points of one hero."""
    place = f.first
    f.first = -1
    f.left -= amount
    f.step = 1
    push_hit(s, unit_at(f.seat, place), slot_at(place), amount, Damage.ORDER)


# -- healing ------------------------------------------------------------------------------------------


def heal_some(s: State, f: Frame, how: int, n: int, k: int) -> None:
    """HEAL: heal up to k different heroes, this hero, or the own leader."""
    seat = f.seat
    if how != How.HEAL_HERO:
        slot = LEADER_SLOT if how == How.HEAL_LEADER else f.slot
        if slot == LEADER_SLOT or is_hero(s, seat, slot):
            heal(s, seat, slot, n)
        next_operation(f)
        return
    if f.step == 0:
        f.left = k
        f.step = 1
    if f.step == 2:
        place = place_answered(s)
        heal(s, unit_at(seat, place), slot_at(place), n)
        f.picked |= 1 << place
        f.left -= 1
    unpicked = all_damaged(s, seat) & ~f.picked
    if unpicked and f.left > 0:
        f.step = 2
        ask(s, seat, Decision.PICK, unpicked, f.left < k)
    else:
        next_operation(f)


def ask_share(s: State, f: Frame) -> None:
    """Ask how many points the hero just picked gets, of those that it can get."""
    place = place_answered(s)
    f.first = place
    f.picked |= 1 << place
    f.step = 3
    has = int(s.damage[unit_at(f.seat, place), slot_at(place)])
    ask(s, f.seat, Decision.AMOUNT, min(f.left, has), False)


def split_heal(s: State, f: Frame, n: int) -> None:
    """SPLIT_HEAL: divide up to n points of healing among heroes."""
    seat = f.seat
    if f.step == 2:
        ask_share(s, f)
        return
    if f.step == 0:
        f.left = n
    elif f.step == 3:
        amount = amount_answered(s)
        heal(s, unit_at(seat, f.first), slot_at(f.first), amount)
        f.left -= amount
        f.first = -1
    unpicked = all_damaged(s, seat) & ~f.picked
    if unpicked and f.left > 0:
        f.step = 2
        ask(s, seat, Decision.PICK, unpicked, True)
    else:
        next_operation(f)


# -- moving -------------------------------------------------------------------------------------------


def gather(s: State, f: Frame, n: int) -> None:
    """GATHER: move up to n points of damage from other own heroes to this hero."""
    seat, slot = f.seat, f.slot
    if f.step == 2:
        ask_share(s, f)
        return
    if f.step == 0:
        f.left = n
    elif f.step == 3:
        amount = amount_answered(s)
        giver = f.first
        f.left -= amount
        f.first = -1
        f.step = 1  # PT-67: this hero may fall before the next step
        move_damage(s, seat, giver, seat, slot, amount)
        return
    unpicked = damaged(s, seat) & ~f.picked & ~(1 << slot)
    if unpicked and f.left > 0 and is_hero(s, seat, slot):
        f.step = 2
        ask(s, seat, Decision.PICK, unpicked, f.picked != 0)
    else:
        next_operation(f)


def shift(s: State, f: Frame, how: int, n: int) -> None:
    """SHIFT: move damage from the own leader, or from one hero to another."""
    if how == How.SHIFT_HERO:
        shift_from_hero(s, f)
        return
    seat = f.seat
    has = int(s.damage[seat, LEADER_SLOT])
    if f.step == 0:
        if has == 0 or all_heroes(s, seat) == 0:
            next_operation(f)
            return
        f.step = 1
        ask(s, seat, Decision.PICK, all_heroes(s, seat), False)
    elif f.step == 1:
        f.first = place_answered(s)
        f.step = 2
        ask(s, seat, Decision.AMOUNT, min(n, has), False)
    else:
        place = f.first
        next_operation(f)
        move_damage(s, seat, LEADER_SLOT, unit_at(seat, place), slot_at(place), amount_answered(s))


def shift_from_hero(s: State, f: Frame) -> None:
    """Move all damage of a hero to another."""
    seat = f.seat
    heroes = all_heroes(s, seat)
    if f.step == 0:
        hurt = all_damaged(s, seat)
        if hurt == 0 or heroes & (heroes - 1) == 0:
            next_operation(f)
            return
        f.step = 1
        ask(s, seat, Decision.PICK, hurt, False)
    elif f.step == 1:
        f.first = place_answered(s)
        f.step = 2
        ask(s, seat, Decision.PICK2, heroes & ~(1 << f.first), False)
    else:
        giver, taker = f.first, place_answered(s)
        next_operation(f)
        u, slot = unit_at(seat, giver), slot_at(giver)
        move_damage(s, u, slot, unit_at(seat, taker), slot_at(taker), int(s.damage[u, slot]))
