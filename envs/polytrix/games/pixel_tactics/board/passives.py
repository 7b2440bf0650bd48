"""PT-06, PT-13, PT-40 to PT-47: strength, reach and protection given by cards in play; nothing is changed."""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import first_and_rest, size
from polytrix.core.state import IntArray

from ..cards.cards import (
    GUARD,
    LEADER_LIFE,
    LEADER_STRENGTH,
    LIFE,
    MARKS,
    MIRROR_CARD,
    NO_ABILITY,
    NUMBER,
    STR,
    STRENGTH,
    TYPES,
    Which,
)
from ..cards.effects import Condition, Mark, Measure, Who
from ..state import CAPTIVE_LIFE, CORPSE_STRENGTH, LEADER_SLOT, NONE, SLOTS, Damage, Row, SlotSet, State
from .units import LEADER_BIT, behind, front, members

# -- who has which ability ----------------------------------------------------------------------------


def ability(s: State, seat: int) -> int:
    """PT-13: the type whose ability, strength and life a leader has; NO_ABILITY if none."""
    if not s.revealed:
        return NO_ABILITY
    card = int(s.leader[seat])
    if card != MIRROR_CARD:
        return card
    other = int(s.leader[1 - seat])
    return NO_ABILITY if other == MIRROR_CARD else other


def leader_marks(s: State, seat: int) -> int:
    """The marks of a seat's leader ability."""
    return int(MARKS[ability(s, seat), Which.LEADER])


def marks(s: State, u: int, slot: int) -> int:
    """PT-06: the marks of a living hero in its row."""
    return int(MARKS[s.card[u, slot], slot // 3])


def marked(s: State, u: int, mark: int) -> int:
    """Slots of living heroes with at least one of these marks."""
    found = 0
    left = int(s.heroes[u])
    while left:
        slot, left = first_and_rest(left)
        if marks(s, u, slot) & mark:
            found |= 1 << slot
    return found


def neighbour(s: State, u: int, slot: int) -> int:
    """PT-05: the slot of the flank hero next to a vanguard or rear hero in its column; NONE without one."""
    row = slot // 3
    if row == Row.VANGUARD:
        slot += 3
    elif row == Row.REAR:
        slot -= 3
    else:
        return NONE
    return slot if int(s.heroes[u]) >> slot & 1 else NONE


# -- reach --------------------------------------------------------------------------------------------


def _slots_given(to_self: int, fore: int, supp: int = 0) -> IntArray:
    """[type, slot]: the slots that get one of these marks from a hero on the slot."""
    table = np.zeros((TYPES, SLOTS), np.int64)
    for kind in range(TYPES):
        for slot in range(SLOTS):
            for mark, to in ((to_self, slot), (fore, slot - 3), (supp, slot + 3)):
                if MARKS[kind, slot // 3] & mark:
                    table[kind, slot] |= 1 << to
    return table


INTERCEPT_GIVEN = _slots_given(Mark.INTERCEPT_SELF, Mark.INTERCEPT_FORE)
RANGED_GIVEN = _slots_given(Mark.RANGED_SELF, Mark.RANGED_FORE, Mark.RANGED_SUPP)


def given_by_heroes(s: State, u: int, table: IntArray) -> int:
    """The slots to which the living heroes of a unit give something, by one of these tables."""
    slots = 0
    left = int(s.heroes[u])
    while left:
        slot, left = first_and_rest(left)
        slots |= int(table[s.card[u, slot], slot])
    return slots


def intercepting(s: State, u: int) -> int:
    """PT-44: slots of living heroes with Intercept."""
    return with_intercept(s, u, given_by_heroes(s, u, INTERCEPT_GIVEN))


def with_intercept(s: State, u: int, given: int) -> int:
    """The same, from the slots to which heroes give it."""
    heroes = int(s.heroes[u])
    return heroes if leader_marks(s, u) & Mark.INTERCEPT_HEROES else given & heroes


def ranged(s: State, u: int) -> int:
    """PT-43: slots of members with Ranged."""
    return with_ranged(s, u, given_by_heroes(s, u, RANGED_GIVEN))


def with_ranged(s: State, u: int, given: int) -> int:
    """The same, from the slots to which heroes give it."""
    of_leader = leader_marks(s, u)
    if of_leader & Mark.RANGED_HEROES:
        given |= int(s.heroes[u])
    if of_leader & Mark.RANGED_LEADER:
        given |= LEADER_BIT
    return given & members(s, u)


def melee_targets(s: State, seat: int) -> int:
    """PT-42: opposing slots that a melee attack can target."""
    return front(s, 1 - seat)


def ranged_targets(s: State, seat: int) -> int:
    """PT-44: opposing slots that a ranged attack can target."""
    return members(s, 1 - seat) & ~behind(intercepting(s, 1 - seat))


def targets(s: State, seat: int, kind: int) -> int:
    """Opposing slots that an attack of this kind can target."""
    return melee_targets(s, seat) if kind == Damage.MELEE else ranged_targets(s, seat)


# -- strength -----------------------------------------------------------------------------------------


def strength(s: State, u: int, slot: int, target: int, kind: int) -> int:
    """PT-40, PT-46: the strength of a member or corpse in an attack.

    Args:
        s: the game.
        u: its unit.
        slot: its slot.
        target: the slot that it attacks in the other unit; NONE for its strength without a target.
        kind: Damage.MELEE or Damage.RANGED.
    """
    if slot == LEADER_SLOT:
        return int(LEADER_STRENGTH[ability(s, u)])
    if int(s.corpses[u]) >> slot & 1:
        return CORPSE_STRENGTH
    return hero_strength(s, u, slot, target, kind)


def _steady_and_other(who: tuple[int, ...], which: tuple[int, ...]) -> tuple[IntArray, IntArray]:
    """Tables [type or NONE, slot] of the STR of effect `which[row]` that concerns `who[row]`.

    The first has its number, if it always adds one, the second 1 if it has a condition or no number.
    """
    steady, other = np.zeros((2, 1 + TYPES, SLOTS), np.int64)
    for kind in range(TYPES):
        for slot in range(SLOTS):
            measure, n, whom, condition = STR[kind, which[slot // 3]]
            if whom == who[slot // 3] != NONE:
                always = measure == Measure.FIXED and condition == Condition.ALWAYS
                steady[1 + kind, slot], other[1 + kind, slot] = (n, 0) if always else (0, 1)
    return steady, other


OWN_STEADY, OWN_OTHER = _steady_and_other((Who.SELF,) * 3, (Row.VANGUARD, Row.FLANK, Row.REAR))
"""[1 + type, slot]: the STR of a hero on the slot for itself."""
AID_STEADY, AID_OTHER = _steady_and_other((Who.FORE, NONE, Who.SUPP), (Row.FLANK,) * 3)
"""[1 + type, slot]: the STR of a flank hero for its neighbour on the slot; 0 for NONE, which is -1."""


def flank_hero(s: State, u: int, slot: int) -> int:
    """The type of the living hero in the flank of the slot's column; NONE without one."""
    flank = 3 * Row.FLANK + slot % 3
    return int(s.card[u, flank]) if int(s.heroes[u]) >> flank & 1 else NONE


def steady_strength(s: State, u: int, slot: int) -> int:
    """PT-46: a hero's strength without its leader's STR and those with a condition or no number."""
    card = int(s.card[u, slot])
    steady = int(OWN_STEADY[1 + card, slot]) + int(AID_STEADY[1 + flank_hero(s, u, slot), slot])
    return int(STRENGTH[card]) + int(s.boost[u, slot]) + steady


def has_other_strength(s: State, u: int, slot: int) -> int:
    """1 if `steady_strength` leaves out a STR of the hero or of its neighbour; else 0."""
    return int(OWN_OTHER[1 + int(s.card[u, slot]), slot]) | int(AID_OTHER[1 + flank_hero(s, u, slot), slot])


def leader_adds_strength(s: State, u: int) -> int:
    """1 if the leader's ability has a STR for heroes; else 0."""
    return int(STR[ability(s, u), Which.LEADER, 2] == Who.HEROES)


def hero_strength(s: State, u: int, slot: int, target: int, kind: int) -> int:
    """PT-46, PT-74: the strength of a hero, or of a corpse in its last strike."""
    total = steady_strength(s, u, slot)
    card, row, near = int(s.card[u, slot]), slot // 3, flank_hero(s, u, slot)
    if OWN_OTHER[1 + card, slot]:
        total += added(s, u, slot, target, kind, card, row)
    if AID_OTHER[1 + near, slot]:
        total += added(s, u, slot, target, kind, near, Row.FLANK)
    if leader_adds_strength(s, u):
        total += added(s, u, slot, target, kind, ability(s, u), Which.LEADER)
    if target == LEADER_SLOT and MARKS[card, row] & Mark.DOUBLE_SELF_VS_LEADER:
        total *= 2
    return total


def added(s: State, u: int, slot: int, target: int, kind: int, card: int, which: int) -> int:
    """The strength that the STR of an effect adds to a hero; 0 if its condition does not hold."""
    if not holds(s, u, slot, target, kind, int(STR[card, which, 3])):
        return 0
    measure = int(STR[card, which, 0])
    if measure == Measure.FIXED:
        return int(STR[card, which, 1])
    if measure == Measure.PRINTED:
        return int(STRENGTH[s.card[u, slot]])
    if measure == Measure.DAMAGE:
        return int(s.damage[u, slot])
    if measure == Measure.LEVEL:
        return int(s.level[u])
    own = int(s.corpses[u]) & ~(1 << slot)  # PT-74: without the one that strikes
    return size(own) + size(int(s.corpses[1 - u]))


def holds(s: State, u: int, slot: int, target: int, kind: int, condition: int) -> bool:
    """Whether the condition of a STR or GUARD holds."""
    if condition == Condition.ALWAYS:
        return True
    if condition == Condition.VS_HERO:
        return target not in (NONE, LEADER_SLOT)
    if condition == Condition.VS_INTERCEPT:
        return target != NONE and bool(intercepting(s, 1 - u) >> target & 1)
    if condition == Condition.MELEE:
        return kind == Damage.MELEE
    if condition == Condition.IF_FIRST:
        return s.first == u
    if condition == Condition.IF_SECOND:
        return s.first != u
    if condition == Condition.IF_HURT:
        return bool(int(s.hurt[u]) >> slot & 1)
    return slot >= 3 and bool(int(s.corpses[u]) >> (slot - 3) & 1)


# -- protection ---------------------------------------------------------------------------------------


def life(s: State, u: int, slot: int) -> int:
    """PT-13, PT-76: the life of a member."""
    return int(LEADER_LIFE[ability(s, u)]) if slot == LEADER_SLOT else hero_life(s, u, slot)


def hero_life(s: State, u: int, slot: int) -> int:
    """PT-76: the life of a hero."""
    return CAPTIVE_LIFE if int(s.captives[u]) >> slot & 1 else int(LIFE[s.card[u, slot]])


def is_lethal(s: State, u: int, slot: int) -> bool:
    """PT-61: whether damage has reached life."""
    return bool(s.damage[u, slot] >= life(s, u, slot))


def guard(s: State, u: int, slot: int) -> int:
    """PT-47: the reduction of attack damage on a member."""
    leader = ability(s, u)
    who = int(GUARD[leader, Which.LEADER, 2])
    concerned = who == Who.UNIT or (who == Who.HEROES and slot != LEADER_SLOT)
    total = 0
    if concerned and holds(s, u, slot, NONE, Damage.MELEE, int(GUARD[leader, Which.LEADER, 3])):
        total += int(GUARD[leader, Which.LEADER, 1])
    if slot == LEADER_SLOT:
        left = int(s.heroes[u])
        while left:
            hero, left = first_and_rest(left)
            if GUARD[s.card[u, hero], hero // 3, 2] == Who.LEADER:
                total += int(GUARD[s.card[u, hero], hero // 3, 1])
        return total
    row = slot // 3
    card = int(s.card[u, slot])
    if GUARD[card, row, 2] == Who.SELF:
        total += int(GUARD[card, row, 1])
    near = neighbour(s, u, slot)
    if near != NONE and GUARD[s.card[u, near], Row.FLANK, 2] == (Who.FORE if row == Row.VANGUARD else Who.SUPP):
        total += int(GUARD[s.card[u, near], Row.FLANK, 1])
    return total


def is_immune(s: State, u: int, slot: int, kind: int) -> bool:
    """PT-47: whether attacks of this kind do nothing to the member."""
    if slot == LEADER_SLOT:
        return kind == Damage.RANGED and marked(s, u, Mark.IMMUNE_LEADER_RANGED) != 0
    if kind == Damage.RANGED and marks(s, u, slot) & Mark.IMMUNE_SELF_RANGED:
        return True
    if slot // 3 != Row.REAR:
        return False
    near = neighbour(s, u, slot)
    return near != NONE and bool(marks(s, u, near) & Mark.IMMUNE_SUPP_ATTACKS)


def reduced(s: State, u: int, slot: int, kind: int, n: int) -> int:
    """PT-47: the damage of an attack of strength n to the member."""
    return 0 if is_immune(s, u, slot, kind) else max(0, n - guard(s, u, slot))


def attack_damage(s: State, u: int, slot: int, target: int, kind: int) -> int:
    """PT-46, PT-47: the damage of an attack by a member or corpse of unit u to the opposing slot `target`."""
    return reduced(s, 1 - u, target, kind, strength(s, u, slot, target, kind))


def thorns(s: State, u: int, attacked: int, kind: int) -> int:
    """PT-51: the damage to a hero that attacks these members of unit u."""
    total = 0
    left = int(s.heroes[u])
    while left:
        slot, left = first_and_rest(left)
        mark = marks(s, u, slot)
        stings = mark & Mark.THORNS_UNIT_MELEE and kind == Damage.MELEE
        if stings or (mark & Mark.THORNS_SELF_ANY and attacked >> slot & 1):
            total += int(NUMBER[s.card[u, slot], slot // 3])
    return total


def lethal_heroes(s: State, u: int) -> int:
    """Slots of the living heroes with lethal damage."""
    found = 0
    left = int(s.heroes[u]) & SlotSet.HEROES
    while left:
        slot, left = first_and_rest(left)
        if is_lethal(s, u, slot):
            found |= 1 << slot
    return found
