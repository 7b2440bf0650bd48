"""PT-60 to PT-68: damage, shields, moved damage, and healing."""

from __future__ import annotations

from polytrix.core.bits import first_and_rest

from ..board.choices import ask, place_answered
from ..board.passives import is_lethal, leader_marks, life, marks
from ..board.stack import pop, push_defeat
from ..board.units import is_hero
from ..cards.effects import Mark
from ..state import LEADER_SLOT, Act, Decision, Frame, Row, State

# -- counters -----------------------------------------------------------------------------------------


def put_counters(s: State, u: int, slot: int, n: int) -> int:
    """PT-66: put counters on a member, or some of them on its leader; return the number put on a hero."""
    if slot == LEADER_SLOT:
        s.damage[u, slot] += n
        return 0
    room = n
    if leader_marks(s, u) & Mark.OVERFLOW:
        room = min(n, max(0, life(s, u, slot) - 1 - int(s.damage[u, slot])))
        if room < n:
            s.damage[u, LEADER_SLOT] += n - room
    s.damage[u, slot] += room
    return room


def execute(s: State, u: int, slot: int) -> None:
    """PT-67: defeat a hero with lethal damage at once, against a leader with EXECUTE."""
    if leader_marks(s, 1 - u) & Mark.EXECUTE and is_hero(s, u, slot) and is_lethal(s, u, slot):
        push_defeat(s, u, slot, False)


def move_damage(s: State, u: int, slot: int, to_unit: int, to_slot: int, n: int) -> None:
    """PT-68: move counters from one member to another."""
    s.damage[u, slot] -= n
    if put_counters(s, to_unit, to_slot, n) > 0:
        execute(s, to_unit, to_slot)


def heal(s: State, u: int, slot: int, n: int) -> None:
    """PT-97: remove up to n damage."""
    s.damage[u, slot] = max(0, int(s.damage[u, slot]) - n)


def drain(s: State, f: Frame) -> None:
    """PT-52: heal the member of frame f by the counters that its attack has placed."""
    u, slot = f.seat, f.slot
    if slot == LEADER_SLOT or is_hero(s, u, slot):
        healed = 0
        if leader_marks(s, u) & Mark.DRAIN_UNIT:
            healed += f.heroes
        if slot != LEADER_SLOT and marks(s, u, slot) & Mark.DRAIN_SELF:
            healed += f.total
        if healed > 0:
            heal(s, u, slot, healed)
    f.heroes = 0
    f.total = 0


# -- a damage event -----------------------------------------------------------------------------------


def shields(s: State, u: int, slot: int) -> int:
    """PT-63: other heroes of the unit that can take the damage of a hero."""
    found = 0
    left = int(s.heroes[u]) & ~(1 << slot)
    while left:
        other, left = first_and_rest(left)
        mark = marks(s, u, other)
        if (
            mark & Mark.SHIELD_UNIT
            or (mark & Mark.SHIELD_REAR and slot // 3 == Row.REAR)
            or (mark & Mark.SHIELD_FORE and slot // 3 == Row.VANGUARD and slot == other - 3)
        ):
            found |= 1 << other
    return found


def step_hit(s: State, f: Frame) -> None:
    """PT-62: run one step of a hit."""
    u, slot = f.seat, f.slot
    if f.step == 0:
        if f.left <= 0 or not (slot == LEADER_SLOT or is_hero(s, u, slot)):
            pop(s)
            return
        takers = shields(s, u, slot) if slot != LEADER_SLOT else 0
        f.step = 1
        if takers:
            ask(s, u, Decision.REDIRECT, takers, True)
            return
    elif s.answer != Act.PASS:
        slot = place_answered(s)
    take_damage(s, f, u, slot)


def take_damage(s: State, f: Frame, u: int, slot: int) -> None:
    """PT-62: put the counters on the receiver, and report them to the frame below, which dealt them."""
    n = f.left
    on_hero = put_counters(s, u, slot, n)
    pop(s)
    dealer = s.stack[s.depth - 1]
    dealer.total += n
    if on_hero > 0:
        s.hurt[u] |= 1 << slot
        if dealer.seat != u:
            dealer.heroes += on_hero
        execute(s, u, slot)
