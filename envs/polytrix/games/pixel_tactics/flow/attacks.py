"""PT-40 to PT-52: melee and ranged attacks, and the attack of a recruit."""

from __future__ import annotations

from polytrix.core.bits import first_and_rest, lowest

from ..board.choices import ask, attacks, place_answered
from ..board.passives import hero_strength, leader_marks, marks, ranged, reduced, strength, targets, thorns
from ..board.stack import pop, push_attack, push_defeat, push_hit, push_power
from ..board.units import front, is_hero, places
from ..cards.effects import Mark
from ..state import COLUMNS, LEADER_SLOT, SLOTS, Act, Damage, Decision, Frame, State
from .damage import drain
from .powers import is_usable

# -- an attack ----------------------------------------------------------------------------------------


def step_attack(s: State, f: Frame) -> None:
    """PT-51: run one step of a melee or ranged attack."""
    step = f.step
    if step == 0:
        choose_target(s, f)
    elif step == 1:
        compute_attack(s, f, 1 << place_answered(s) % SLOTS)
    elif step == 2:
        hit_next_target(s, f)
    elif step == 3:
        drain_attacker(s, f)
    elif step == 4:
        suffer_thorns(s, f)
    else:
        meet_ward(s, f)


def choose_target(s: State, f: Frame) -> None:
    """PT-39, PT-49: ask for the target."""
    seat, slot, kind = f.seat, f.slot, f.attack
    if s.round_number == 1:
        pop(s)
        return
    reach = targets(s, seat, kind)
    if kind == Damage.MELEE:
        fights = slot != LEADER_SLOT and (f.flag or is_hero(s, seat, slot))
        if fights and marks(s, seat, slot) & Mark.SWEEP:
            compute_attack(s, f, reach)
            return
        if leader_marks(s, 1 - seat) & Mark.AIM:
            f.step = 1
            ask(s, 1 - seat, Decision.TARGET, reach, False)
            return
    f.step = 1
    ask(s, seat, Decision.TARGET, places(0, reach), False)


def compute_attack(s: State, f: Frame, attacked: int) -> None:
    """Compute the damage to each target and the thorns; remember heroes in melee for WARD."""
    seat, slot, kind = f.seat, f.slot, f.attack
    left = attacked
    while left:
        target, left = first_and_rest(left)
        if f.flag:  # PT-74
            power = hero_strength(s, seat, slot, target, kind)
        else:
            power = strength(s, seat, slot, target, kind)
        f.amounts[target % COLUMNS] = reduced(s, 1 - seat, target, kind, power)
    f.thorns = thorns(s, 1 - seat, attacked, kind)
    if kind == Damage.MELEE and is_hero(s, seat, slot):
        s.struck[seat] |= 1 << slot
    f.picked = places(0, attacked)
    f.step = 2


def hit_next_target(s: State, f: Frame) -> None:
    """Hit the next target, in the order of slots."""
    left = f.picked
    if left == 0:
        f.step = 3
        return
    f.picked = left & (left - 1)
    target = lowest(left) - SLOTS
    push_hit(s, 1 - f.seat, target, int(f.amounts[target % COLUMNS]), f.attack)


def drain_attacker(s: State, f: Frame) -> None:
    """PT-52: drain; corpses, heroes that have fallen and last strikes end here."""
    u, slot = f.seat, f.slot
    if f.flag or not (slot == LEADER_SLOT or is_hero(s, u, slot)):
        pop(s)
        return
    drain(s, f)
    f.step = 4


def suffer_thorns(s: State, f: Frame) -> None:
    """Deal all thorns to the attacking hero as one hit."""
    f.step = 5
    if f.thorns > 0 and f.slot != LEADER_SLOT:
        push_hit(s, f.seat, f.slot, f.thorns, Damage.THORNS)


def meet_ward(s: State, f: Frame) -> None:
    """WARD: defeat a hero that has attacked in melee."""
    u, slot = f.seat, f.slot
    warded = f.attack == Damage.MELEE and s.ward[1 - u] != 0
    pop(s)
    if warded and slot != LEADER_SLOT and is_hero(s, u, slot):
        push_defeat(s, u, slot, False)


# -- the attack of a hero just recruited ----------------------------------------------------------------


def step_strike(s: State, f: Frame) -> None:
    """STRIKE: ask for the kind of attack; the hero must attack if it can, unless the frame is optional."""
    seat, slot = f.seat, f.slot
    if f.step == 0:
        bit = 1 << slot
        if not is_hero(s, seat, slot) or int(s.moved[seat]) & bit or s.round_number == 1:
            pop(s)
            return
        melee = front(s, seat) & bit
        shot = ranged(s, seat) & bit
        power = bit if is_usable(s, seat, slot, int(s.card[seat, slot]), slot // 3) else 0
        if melee | shot | power == 0:
            pop(s)
            return
        f.step = 1
        ask(s, seat, Decision.STRIKE, attacks(melee, shot, power), f.flag != 0)
        return
    answer = s.answer
    if f.step == 2 or answer == Act.PASS:
        pop(s)
        return
    f.step = 2
    if answer >= Act.POWER:
        push_power(s, seat, answer - Act.POWER, int(s.card[seat, slot]), slot // 3)
    elif answer >= Act.RANGED:
        push_attack(s, seat, answer - Act.RANGED, Damage.RANGED, False)
    else:
        push_attack(s, seat, answer - Act.MELEE, Damage.MELEE, False)
