"""Features: what long random play must have reached, counted from the two states around each step.

An effect counts when it has done something. Powers, orders and triggers report it in `used` when they
start. The others count when they have changed a number or the legal actions:

- STR, DOUBLE, GUARD and IMMUNE, when they changed the strength or damage of an attack on a chosen target;
- RANGED, when it offers a ranged attack in a turn; INTERCEPT, when a member behind it is out of reach;
- leader abilities that allow or forbid an action, when they do so.
"""

from __future__ import annotations

from polytrix.core.bits import lowest
from polytrix.core.constants import Constants
from polytrix.core.state import CHANCE, IntArray

from .cards.cards import EFFECT_IDS, EFFECTS_OF_A_CARD, GUARD, MARKS, MIRROR_CARD, STR, TYPES, Which
from .cards.effects import Mark, Who
from .flow.matches import trophies_needed
from .state import (
    LEADER_SLOT,
    NONE,
    SEATS,
    Chance,
    Damage,
    Decision,
    FrameKind,
    Phase,
    Result,
    Row,
    SlotSet,
    State,
)
from .table.board import LEADER_BIT, behind, members
from .table.passives import (
    ability,
    added,
    hero_strength,
    holds,
    intercepting,
    is_immune,
    is_lethal,
    leader_marks,
    marks,
    neighbour,
    strength,
)

_ASKED = tuple(f"asked {name}" for name in Decision.names()[1:])
_CHANCE = tuple(f"chance {name}" for name in Chance.names()[1:])
_WITHIN = tuple(f"within {name}" for name in FrameKind.names() if name != "RECRUIT")
_OTHERS = (
    "six frames deep",
    "an order within an order",
    "a captive",
    "a corpse attacks",
    "a rout",
    "both leaders fall",
    "the round limit",
    "a trophy is won, the game goes on",
    "a tie gives trophies",
    "a tie gives no winning trophy",
    "a game of several matches is won",
    "cut off",
)
FEATURES = EFFECT_IDS + _ASKED + _CHANCE + _WITHIN + _OTHERS


class Feature(Constants):
    """Numbers of `FEATURES`; those before ASKED are the effects of the cards."""

    ASKED = len(EFFECT_IDS)
    CHANCE = ASKED + len(_ASKED)
    WITHIN = CHANCE + len(_CHANCE)
    (
        DEEP, ORDER_IN_ORDER, CAPTIVE, CORPSE_ATTACKS, ROUT, BOTH_FALL,
        ROUND_LIMIT, GOES_ON, TIE_TROPHIES, TIE_REFUSED, GAME_WON, CUT_OFF,
    ) = range(WITHIN + len(_WITHIN), len(FEATURES))  # fmt: skip


MANY_FRAMES = 6


def cover(before: State, s: State, seen: IntArray) -> None:
    """Count the features that the step shows."""
    for which in range(EFFECTS_OF_A_CARD):
        left = int(s.used[which])
        while left:
            seen[TYPES * which + lowest(left)] += 1
            left &= left - 1
    if before.decision == Decision.TARGET and s.attacked:
        cover_attack(before, int(s.attacked), seen)
    if before.revealed == 0 and s.revealed:
        cover_mirror(s, seen)
    if s.mover >= 0:
        seen[Feature.ASKED + int(s.decision) - 1] += 1
        if s.decision == Decision.TURN:
            cover_turn(s, seen)
        elif s.decision == Decision.TARGET:
            cover_reach(s, seen)
    elif s.mover == CHANCE:
        seen[Feature.CHANCE + int(s.chance_kind) - 1] += 1
    cover_stack(s, seen)
    cover_end(before, s, seen)


def see(seen: IntArray, card: int, which: int) -> None:
    """Count an effect."""
    seen[TYPES * which + card] += 1


# -- attacks --------------------------------------------------------------------------------------------


def cover_attack(s: State, attacked: int, seen: IntArray) -> None:
    """Count effects on an attack, in the state in which its target was chosen."""
    f = s.stack[s.depth - 1]
    seat, slot, kind = int(f.seat), int(f.slot), int(f.attack)
    if attacked & (attacked - 1):
        return
    target = lowest(attacked)
    power = hero_strength(s, seat, slot, target, kind) if f.flag else strength(s, seat, slot, target, kind)
    if slot != LEADER_SLOT and (f.flag or int(s.heroes[seat]) >> slot & 1):
        cover_strength(s, seat, slot, target, kind, seen)
    elif slot != LEADER_SLOT:
        seen[Feature.CORPSE_ATTACKS] += 1
    if power > 0:
        if is_immune(s, 1 - seat, target, kind):
            cover_immunity(s, 1 - seat, target, kind, seen)
        else:
            cover_guard(s, 1 - seat, target, seen)


def cover_strength(s: State, u: int, slot: int, target: int, kind: int, seen: IntArray) -> None:
    """Count effects that have changed the strength of a hero."""
    card, row = int(s.card[u, slot]), slot // 3
    if STR[card, row, 2] == Who.SELF and added(s, u, slot, target, kind, card, row):
        see(seen, card, row)
    near = neighbour(s, u, slot)
    if near != NONE:
        helper = int(s.card[u, near])
        who = Who.FORE if row == Row.VANGUARD else Who.SUPP
        if STR[helper, Row.FLANK, 2] == who and added(s, u, slot, target, kind, helper, Row.FLANK):
            see(seen, helper, Row.FLANK)
    leader = ability(s, u)
    if STR[leader, Which.LEADER, 2] == Who.HEROES and added(s, u, slot, target, kind, leader, Which.LEADER):
        see(seen, leader, Which.LEADER)
    if target == LEADER_SLOT and MARKS[card, row] & Mark.DOUBLE_VS_LEADER:
        see(seen, card, row)


def cover_guard(s: State, u: int, slot: int, seen: IntArray) -> None:
    """Count effects that have reduced the damage of a member."""
    leader = ability(s, u)
    who = int(GUARD[leader, Which.LEADER, 2])
    if who == Who.UNIT or (
        who == Who.HEROES
        and slot != LEADER_SLOT
        and holds(s, u, slot, NONE, Damage.MELEE, int(GUARD[leader, Which.LEADER, 3]))
    ):
        see(seen, leader, Which.LEADER)
    left = int(s.heroes[u])
    while left:
        hero = lowest(left)
        left &= left - 1
        card, row = int(s.card[u, hero]), hero // 3
        who = int(GUARD[card, row, 2])
        if (
            (who == Who.SELF and hero == slot)
            or (who == Who.LEADER and slot == LEADER_SLOT)
            or (who == Who.FORE and slot == hero - 3)
            or (who == Who.SUPP and slot == hero + 3)
        ):
            see(seen, card, row)


def cover_immunity(s: State, u: int, slot: int, kind: int, seen: IntArray) -> None:
    """Count effects that have made a member immune."""
    left = int(s.heroes[u])
    while left:
        hero = lowest(left)
        left &= left - 1
        mark = marks(s, u, hero)
        if (
            (mark & Mark.IMMUNE_SELF_RANGED and hero == slot and kind == Damage.RANGED)
            or (mark & Mark.IMMUNE_LEADER_RANGED and slot == LEADER_SLOT)
            or (mark & Mark.IMMUNE_SUPP and slot == hero + 3)
        ):
            see(seen, int(s.card[u, hero]), hero // 3)


def cover_reach(s: State, seen: IntArray) -> None:
    """Count effects that keep members out of reach of the ranged attack that is being aimed."""
    f = s.stack[s.depth - 1]
    if f.kind != FrameKind.ATTACK or f.attack != Damage.RANGED:
        return
    u = 1 - int(f.seat)
    blocking = intercepting(s, u)
    if behind(blocking) & members(s, u) == 0:
        return
    if leader_marks(s, u) & Mark.INTERCEPT_HEROES:
        see(seen, ability(s, u), Which.LEADER)
    left = int(s.heroes[u])
    while left:
        hero = lowest(left)
        left &= left - 1
        mark = marks(s, u, hero)
        blocked = 0
        if mark & Mark.INTERCEPT_SELF:
            blocked |= behind(1 << hero)
        if mark & Mark.INTERCEPT_FORE and int(s.heroes[u]) >> (hero - 3) & 1:
            blocked |= behind(1 << (hero - 3))
        if blocked & members(s, u):
            see(seen, int(s.card[u, hero]), hero // 3)


# -- turns ----------------------------------------------------------------------------------------------


def cover_turn(s: State, seen: IntArray) -> None:
    """Count effects that offer or forbid actions."""
    u = int(s.mover)
    shots = int(s.may_ranged)
    own, other = leader_marks(s, u), leader_marks(s, 1 - u)
    if (own & Mark.RANGED_LEADER and shots & LEADER_BIT) or (
        own & Mark.RANGED_HEROES and shots & SlotSet.HEROES
    ):
        see(seen, ability(s, u), Which.LEADER)
    if own & Mark.CORPSES_ATTACK and int(s.may_melee) & int(s.corpses[u]):
        see(seen, ability(s, u), Which.LEADER)
    if other & Mark.NO_CLEAR and s.actions > 0 and s.corpses[u]:
        see(seen, ability(s, 1 - u), Which.LEADER)
    left = int(s.heroes[u])
    while left:
        hero = lowest(left)
        left &= left - 1
        mark = marks(s, u, hero)
        able = 0
        if mark & Mark.RANGED_SELF:
            able |= 1 << hero
        if mark & Mark.RANGED_FORE:
            able |= SlotSet.ROW & 1 << (hero - 3)
        if mark & Mark.RANGED_SUPP:
            able |= 1 << (hero + 3)
        if able & shots:
            see(seen, int(s.card[u, hero]), hero // 3)


def cover_mirror(s: State, seen: IntArray) -> None:
    """Count a leader that copies the other one."""
    for seat in range(SEATS):
        if s.leader[seat] == MIRROR_CARD and ability(s, seat) == s.leader[1 - seat]:
            see(seen, MIRROR_CARD, Which.LEADER)


# -- the stack and the end --------------------------------------------------------------------------------


def cover_stack(s: State, seen: IntArray) -> None:
    """Count the frames on the stack."""
    if s.depth >= MANY_FRAMES:
        seen[Feature.DEEP] += 1
    for i in range(int(s.depth)):
        kind = int(s.stack[i].kind)
        seen[Feature.WITHIN + kind - (1 if kind > FrameKind.RECRUIT else 0)] += 1
    if int(s.chain_orders) & (int(s.chain_orders) - 1):
        seen[Feature.ORDER_IN_ORDER] += 1
    if s.captives[0] or s.captives[1]:
        seen[Feature.CAPTIVE] += 1


def cover_end(before: State, s: State, seen: IntArray) -> None:
    """Count how a match or the game has ended."""
    if s.truncated:
        seen[Feature.CUT_OFF] += 1
    over = s.phase == Phase.OVER
    if not over and s.match == before.match:
        return
    winner = int(s.result) if over else int(s.last_winner)
    tied = winner in (Result.TIE, -1)
    if over and s.options.best_of == 1:
        fallen = is_lethal(s, 0, LEADER_SLOT) + is_lethal(s, 1, LEADER_SLOT)
        if fallen == 0:
            seen[Feature.ROUND_LIMIT] += 1
        elif fallen == 1:
            seen[Feature.ROUT] += 1
        else:
            seen[Feature.BOTH_FALL] += 1
        return
    if over:
        seen[Feature.GAME_WON] += not tied
    elif not tied:
        seen[Feature.GOES_ON] += 1
    elif s.trophies[0] > before.trophies[0] or s.trophies[1] > before.trophies[1]:
        seen[Feature.TIE_TROPHIES] += 1
    if tied and (before.trophies[0] + 1 >= trophies_needed(s) or before.trophies[1] + 1 >= trophies_needed(s)):
        seen[Feature.TIE_REFUSED] += 1
