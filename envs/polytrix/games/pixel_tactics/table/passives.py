"""PT-06, PT-13, PT-40 to PT-47: strength, reach and protection given by cards in play; nothing is changed."""

from __future__ import annotations

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
    Which,
)
from ..cards.effects import Condition, Mark, Measure, Who
from ..state import CAPTIVE_LIFE, CORPSE_STRENGTH, LEADER_SLOT, NONE, Damage, Row, SlotSet, State
from .board import LEADER_BIT, behind, front, members
from .sets import lowest, size

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
        slot = lowest(left)
        left &= left - 1
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


def intercepting(s: State, u: int) -> int:
    """PT-44: slots of living heroes with Intercept."""
    if leader_marks(s, u) & Mark.INTERCEPT_HEROES:
        return int(s.heroes[u])
    found = 0
    left = int(s.heroes[u])
    while left:
        slot = lowest(left)
        left &= left - 1
        mark = marks(s, u, slot)
        if mark & Mark.INTERCEPT_SELF:
            found |= 1 << slot
        if mark & Mark.INTERCEPT_FORE:
            found |= 1 << (slot - 3)
    return found & int(s.heroes[u])


def ranged(s: State, u: int) -> int:
    """PT-43: slots of members with Ranged."""
    of_leader = leader_marks(s, u)
    found = LEADER_BIT if of_leader & Mark.RANGED_LEADER else 0
    if of_leader & Mark.RANGED_HEROES:
        return found | int(s.heroes[u])
    left = int(s.heroes[u])
    while left:
        slot = lowest(left)
        left &= left - 1
        mark = marks(s, u, slot)
        if mark & Mark.RANGED_SELF:
            found |= 1 << slot
        if mark & Mark.RANGED_FORE:
            found |= 1 << (slot - 3)
        if mark & Mark.RANGED_SUPP:
            found |= 1 << (slot + 3)
    return found & (int(s.heroes[u]) | LEADER_BIT)


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


def hero_strength(s: State, u: int, slot: int, target: int, kind: int) -> int:
    """PT-46, PT-74: the strength of a hero, or of a corpse in its last strike."""
    card = int(s.card[u, slot])
    row = slot // 3
    total = int(STRENGTH[card]) + int(s.boost[u, slot])
    if STR[card, row, 2] == Who.SELF:
        total += added(s, u, slot, target, kind, card, row)
    near = neighbour(s, u, slot)
    if near != NONE:
        card_near = int(s.card[u, near])
        if STR[card_near, Row.FLANK, 2] == (Who.FORE if row == Row.VANGUARD else Who.SUPP):
            total += added(s, u, slot, target, kind, card_near, Row.FLANK)
    leader = ability(s, u)
    if STR[leader, Which.LEADER, 2] == Who.HEROES:
        total += added(s, u, slot, target, kind, leader, Which.LEADER)
    if target == LEADER_SLOT and MARKS[card, row] & Mark.DOUBLE_VS_LEADER:
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
    if condition == Condition.IN_MELEE:
        return kind == Damage.MELEE
    if condition == Condition.IF_FIRST:
        return bool(s.first == u)
    if condition == Condition.IF_SECOND:
        return bool(s.first != u)
    if condition == Condition.IF_HURT:
        return bool(int(s.hurt[u]) >> slot & 1)
    return slot >= 3 and bool(int(s.corpses[u]) >> (slot - 3) & 1)


# -- protection ---------------------------------------------------------------------------------------


def life(s: State, u: int, slot: int) -> int:
    """PT-13, PT-76: the life of a member."""
    if slot == LEADER_SLOT:
        return int(LEADER_LIFE[ability(s, u)])
    if int(s.captives[u]) >> slot & 1:
        return CAPTIVE_LIFE
    return int(LIFE[s.card[u, slot]])


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
            hero = lowest(left)
            left &= left - 1
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
    return near != NONE and bool(marks(s, u, near) & Mark.IMMUNE_SUPP)


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
        slot = lowest(left)
        left &= left - 1
        mark = marks(s, u, slot)
        stings = mark & Mark.THORNS_UNIT and kind == Damage.MELEE
        if stings or (mark & Mark.THORNS_SELF and attacked >> slot & 1):
            total += int(NUMBER[s.card[u, slot], slot // 3])
    return total


def lethal_heroes(s: State, u: int) -> int:
    """Slots of the living heroes with lethal damage."""
    found = 0
    left = int(s.heroes[u]) & SlotSet.HEROES
    while left:
        slot = lowest(left)
        left &= left - 1
        if is_lethal(s, u, slot):
            found |= 1 << slot
    return found
