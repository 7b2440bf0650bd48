"""PT-71 to PT-77: defeat, last strike and capture of heroes."""

from __future__ import annotations

from ..board.choices import ask, place_answered
from ..board.passives import leader_marks
from ..board.stack import pop, push_attack
from ..board.units import behind, clean, empty, is_corpse, is_hero, lift, members, place_hero, turn_over
from ..board.zones import to_owners_discard
from ..cards.effects import Mark
from ..state import Act, Damage, Decision, Frame, State


def step_defeat(s: State, f: Frame) -> None:
    """Run one step of a defeat."""
    step = f.step
    if step == 0:
        fall(s, f)
    elif step == 1:
        strike_back(s, f)
    elif step == 2:
        settle_corpse(s, f)
    else:
        capture(s, f)


def fall(s: State, f: Frame) -> None:
    """PT-71, PT-76: the hero becomes a corpse; a captive goes to its owner's discard, without triggers."""
    u, slot = f.seat, f.slot
    f.step = 1
    if f.flag:  # a corpse since the check
        return
    if is_hero(s, u, slot):
        strike_down(s, u, slot)
    if not is_corpse(s, u, slot):
        pop(s)


def strike_down(s: State, u: int, slot: int) -> None:
    """PT-71, PT-76: turn a hero into a corpse, or discard a captive."""
    if int(s.captives[u]) >> slot & 1:
        to_owners_discard(s, u, slot)
    else:
        turn_over(s, u, slot)


def strike_back(s: State, f: Frame) -> None:
    """PT-74: start the last strike, if no member is before the hero."""
    u, slot = f.seat, f.slot
    f.step = 2
    if leader_marks(s, u) & Mark.LAST_STRIKE and s.round_number > 1 and not behind(members(s, u)) >> slot & 1:
        push_attack(s, u, slot, Damage.MELEE, True)


def settle_corpse(s: State, f: Frame) -> None:
    """PT-71: clean the corpse; PT-75: ask whether the other seat captures it."""
    u, slot = f.seat, f.slot
    clean(s, u, slot)
    space = empty(s, 1 - u)
    if leader_marks(s, 1 - u) & Mark.CAPTURE and space and is_corpse(s, u, slot):
        f.step = 3
        ask(s, 1 - u, Decision.CAPTURE, space, True)
    else:
        pop(s)


def capture(s: State, f: Frame) -> None:
    """PT-75: put the card as a living captive on an empty slot of the other unit."""
    u, slot = f.seat, f.slot
    if s.answer != Act.PASS:
        card = int(s.card[u, slot])
        lift(s, u, slot)
        place_hero(s, 1 - u, place_answered(s), card)
        s.captives[1 - u] |= 1 << place_answered(s)
    pop(s)
