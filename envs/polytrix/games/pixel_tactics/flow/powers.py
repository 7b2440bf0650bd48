"""PT-45: usable powers, and possible targets of some of them."""

from __future__ import annotations

from polytrix.core.bits import first_and_rest

from ..board.stack import is_carried_out
from ..board.units import (
    LEADER_BIT,
    all_corpses,
    all_damaged,
    all_heroes,
    damaged,
    empty,
    front,
    front_heroes,
    occupied,
    places,
    slot_at,
    unit_at,
)
from ..cards.cards import OPERATIONS, copies, has_power
from ..cards.effects import How, Operation
from ..state import LEADER_SLOT, Damage, FrameKind, SlotSet, State


def is_usable(s: State, seat: int, slot: int, card: int, row: int) -> bool:
    """PT-45, PT-94: whether the hero on the slot may use this card's power of this row."""
    if not has_power(card, row) or is_carried_out(s, FrameKind.POWER, card, row):
        return False
    if OPERATIONS[card, row, 0, 0] == Operation.COPY:
        return copied_heroes(s, seat, slot, int(OPERATIONS[card, row, 0, 1])) != 0
    return can_begin(s, seat, slot, card, row)


def copied_heroes(s: State, seat: int, slot: int, row: int) -> int:
    """COPY: places of other heroes in that row, in both units, whose power the hero on the slot can use."""
    found = 0
    in_row = SlotSet.ROW << 3 * row
    left = all_heroes(s, seat) & places(in_row & ~(1 << slot), in_row)
    while left:
        place, left = first_and_rest(left)
        card = int(s.card[unit_at(seat, place), slot_at(place)])
        if not has_power(card, row) or copies(card, row) or is_carried_out(s, FrameKind.POWER, card, row):
            continue
        if can_begin(s, seat, slot, card, row):
            found |= 1 << place
    return found


def can_begin(s: State, seat: int, slot: int, card: int, row: int) -> bool:
    """Whether the first operation of this card's power of this row has something to do."""
    operation, how = OPERATIONS[card, row, 0, 0], OPERATIONS[card, row, 0, 1]
    if operation == Operation.HEAL:
        if how == How.HEAL_HERO:
            return all_damaged(s, seat) != 0
        return bool(s.damage[seat, slot if how == How.HEAL_SELF else LEADER_SLOT] > 0)
    if operation == Operation.GATHER:
        return damaged(s, seat) & ~(1 << slot) != 0
    if operation == Operation.SHIFT:
        return bool(s.damage[seat, LEADER_SLOT] > 0)
    if operation in (Operation.DEFEAT, Operation.RETURN):
        return (front_heroes(s, 1 - seat) if how == How.DEFEAT_FRONT_HERO else int(s.heroes[seat])) != 0
    if operation in (Operation.REVIVE, Operation.ROW_CORPSES):
        return all_corpses(s, seat) != 0
    if operation == Operation.SWAP:
        cards = occupied(s, seat if how == How.SWAP_OWN else 1 - seat)
        return cards & (cards - 1) != 0
    if operation == Operation.SWAP_SELF:
        return int(s.heroes[seat]) & ~(1 << slot) != 0
    if operation == Operation.RECRUIT:
        rows = SlotSet.ROW << 3 * s.wave if how == How.RECRUIT_WAVE_ROW else -1
        return bool(s.hand[seat] != 0) and empty(s, seat) & rows != 0
    if operation == Operation.GRANT:
        return granted(s, seat, slot, row, how, int(OPERATIONS[card, row, 0, 2])) != 0
    if operation in (Operation.DRAW, Operation.REORDER, Operation.SIFT):
        return bool(s.deck[seat] != 0)
    if operation in (Operation.SPY_DISCARD, Operation.FOE_DISCARD, Operation.USE):
        return bool(s.hand[1 - seat] != 0)
    return True


def granted(s: State, seat: int, slot: int, row: int, how: int, kind: int) -> int:
    """GRANT: own slots of members that can make the attack, for a power of the hero on the slot (PT-48)."""
    own = front(s, seat)
    if how == How.GRANT_LEADER:
        return own & LEADER_BIT
    able = int(s.heroes[seat]) & ~int(s.moved[seat])
    if kind == Damage.MELEE:
        able &= own
    if how == How.GRANT_OTHER_IN_ROW:
        return able & SlotSet.ROW << 3 * row & ~(1 << slot)
    if how == How.GRANT_ANY_FRONT:
        return able
    if how == How.GRANT_OTHER_FRONT:
        return able & ~(1 << slot)
    return able & 1 << slot if how == How.GRANT_SELF else 0
