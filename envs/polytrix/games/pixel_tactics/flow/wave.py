"""PT-26, PT-69 to PT-75, PT-80 to PT-82: the end of a wave."""

from __future__ import annotations

from polytrix.core.bits import first_and_rest, lowest, size
from polytrix.core.constants import Constants

from ..board.passives import ability, is_lethal, leader_marks, lethal_heroes
from ..board.stack import pop, push_defeat, push_hit
from ..board.units import clean, places, slot_at, unit_at
from ..cards.cards import NUMBER, Which
from ..cards.effects import Mark
from ..state import LEADER_SLOT, SLOTS, Damage, Frame, Result, SlotSet, State
from .damage import heal
from .defeat import strike_down
from .matches import clear_marks, end_match


class WaveStep(Constants):
    """Steps of the end of a wave."""

    BEGIN_LEADER, GO_ON_HITTING, CHECK, TREAT = range(4)


def step_wave_end(s: State, f: Frame) -> None:
    """Run one step of the end of a wave."""
    step = f.step
    if step == WaveStep.BEGIN_LEADER:
        trigger_leader(s, f)
    elif step == WaveStep.GO_ON_HITTING:
        hit_next(s, f)
    elif step == WaveStep.CHECK:
        check_casualties(s, f)
    else:
        treat_next(s, f)


def trigger_leader(s: State, f: Frame) -> None:
    """PT-69: carry out what the leader of the frame's seat does at the end of a wave."""
    seat = f.seat
    mark = leader_marks(s, seat)
    f.step = WaveStep.GO_ON_HITTING
    if mark & Mark.END_HIT and s.heroes[1 - seat]:
        f.picked = places(0, int(s.heroes[1 - seat]))
    if mark & Mark.END_HEAL:
        left = (int(s.heroes[seat]) | 1 << LEADER_SLOT) & SlotSet.ROW << 3 * s.wave
        while left:
            slot, left = first_and_rest(left)
            if s.damage[seat, slot] > 0:
                heal(s, seat, slot, int(NUMBER[ability(s, seat), Which.LEADER]))


def hit_next(s: State, f: Frame) -> None:
    """PT-69: hit the next opposing hero; then turn to the other leader, or to the check."""
    seat = f.seat
    left = f.picked
    if left:
        f.picked = left & (left - 1)
        push_hit(s, 1 - seat, lowest(left) - SLOTS, int(NUMBER[ability(s, seat), Which.LEADER]), Damage.LEADER)
    elif seat == s.first:
        f.seat = 1 - seat
        f.step = WaveStep.BEGIN_LEADER
    else:
        f.seat = s.first
        f.step = WaveStep.CHECK


def check_casualties(s: State, f: Frame) -> None:
    """PT-70: defeat all heroes with lethal damage at once; PT-73: only here leaders fall."""
    first = f.seat
    f.picked = places(lethal_heroes(s, first), lethal_heroes(s, 1 - first))
    f.step = WaveStep.TREAT
    left = f.picked
    while left:
        place, left = first_and_rest(left)
        u, slot = unit_at(first, place), slot_at(place)
        if int(s.captives[u]) >> slot & 1:
            f.picked &= ~(1 << place)
        strike_down(s, u, slot)
    mine, other = is_lethal(s, first, LEADER_SLOT), is_lethal(s, 1 - first, LEADER_SLOT)
    if mine or other:
        clean_corpses(s, f)
        pop(s)
        if mine and other:
            end_match(s, last_standing(s))
        else:
            end_match(s, 1 - first if mine else first)


def clean_corpses(s: State, f: Frame) -> None:
    """PT-73: clean the corpses of a match that has ended."""
    left = f.picked
    while left:
        place, left = first_and_rest(left)
        clean(s, unit_at(f.seat, place), slot_at(place))


def last_standing(s: State) -> int:
    """PT-81, PT-82: the seat with more living heroes, or TIE."""
    south, north = size(int(s.heroes[0])), size(int(s.heroes[1]))
    if south == north:
        return Result.TIE
    return 0 if south > north else 1


def treat_next(s: State, f: Frame) -> None:
    """PT-74, PT-75: go on with the next casualty, those of the first player first; then PT-26."""
    left = f.picked
    if left:
        f.picked = left & (left - 1)
        place = lowest(left)
        push_defeat(s, unit_at(f.seat, place), slot_at(place), True)
        return
    pop(s)
    clear_marks(s)
