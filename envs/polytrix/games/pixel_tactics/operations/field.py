"""Operations on heroes, corpses, attacks and actions."""

from __future__ import annotations

from polytrix.core.bits import first_and_rest, lowest, size

from ..board.choices import ask, place_answered
from ..board.stack import next_operation, push_attack, push_defeat, push_power, push_recruit, push_strike
from ..board.units import (
    all_corpses,
    all_heroes,
    empty,
    empty_columns,
    exchange,
    front_heroes,
    is_hero,
    occupied,
    places,
    slot_at,
    slot_of,
    turn_over,
    unit_at,
)
from ..board.zones import to_owners_discard, to_owners_hand
from ..cards.effects import MANY, How, Operation
from ..flow.powers import copied_heroes, granted
from ..state import COLUMNS, MOST_RECRUITS, ROWS, Act, Damage, Decision, Frame, SlotSet, State


def asks_for_one(s: State, f: Frame, some: int) -> bool:
    """At the first step of an operation, ask for one of a set of places; False without any."""
    if f.step != 0 or some == 0:
        return False
    f.step = 1
    ask(s, f.seat, Decision.PICK, some, False)
    return True


def field_operation(s: State, f: Frame, operation: int, how: int, n: int, following: int) -> None:
    """Run one step of an operation of this file."""
    if operation == Operation.BOOST:
        boost(s, f, n)
    elif operation == Operation.WARD:
        ward(s, f)
    elif operation == Operation.ADD_ACTIONS:
        s.actions += n
        f.op += 1
    elif operation == Operation.LOSE_ACTION:
        s.lose_next[1 - f.seat] += n
        f.op += 1
    elif operation == Operation.DEFEAT:
        defeat_one(s, f, how)
    elif operation == Operation.RETURN:
        return_one(s, f, how)
    elif operation == Operation.REVIVE:
        revive(s, f)
    elif operation == Operation.ROW_CORPSES:
        row_corpses(s, f, how)
    elif operation == Operation.SWAP:
        swap(s, f, how)
    elif operation == Operation.SWAP_SELF:
        swap_self(s, f)
    elif operation == Operation.COLUMN:
        choose_column(s, f, following)
    elif operation == Operation.ARRANGE:
        arrange(s, f, how)
    elif operation == Operation.RECRUIT:
        recruit(s, f, how, n)
    elif operation == Operation.DISCARD_IT:
        discard_it(s, f)
    elif operation == Operation.GRANT:
        grant(s, f, how, n)
    elif operation == Operation.FRONTS_ATTACK:
        fronts_attack(s, f)
    elif operation == Operation.STRIKE:
        strike(s, f)
    else:
        copy_power(s, f, how)


# -- one hero or corpse -------------------------------------------------------------------------------


def boost(s: State, f: Frame, n: int) -> None:
    """BOOST: make a hero stronger until the end of the wave."""
    seat = f.seat
    if asks_for_one(s, f, all_heroes(s, seat)):
        return
    if f.step == 1:
        place = place_answered(s)
        s.boost[unit_at(seat, place), slot_at(place)] += n
    next_operation(f)


def defeat_one(s: State, f: Frame, how: int) -> None:
    """DEFEAT: defeat a hero at once (PT-72)."""
    seat = f.seat
    some = places(0, front_heroes(s, 1 - seat)) if how == How.DEFEAT_FRONT_HERO else all_heroes(s, seat)
    if asks_for_one(s, f, some):
        return
    chosen = f.step == 1
    next_operation(f)
    if chosen:
        place = place_answered(s)
        push_defeat(s, unit_at(seat, place), slot_at(place), False)


def return_one(s: State, f: Frame, how: int) -> None:
    """RETURN: return a hero to its owner's hand (PT-104)."""
    seat = f.seat
    some = places(0, front_heroes(s, 1 - seat)) if how == How.RETURN_FRONT_HERO else int(s.heroes[seat])
    if asks_for_one(s, f, some):
        return
    if f.step == 1:
        place = place_answered(s)
        to_owners_hand(s, unit_at(seat, place), slot_at(place))
    next_operation(f)


def ward(s: State, f: Frame) -> None:
    """WARD: defeat opposing heroes that have attacked in melee; PT-51 handles later attacks."""
    seat = f.seat
    if f.step == 0:
        s.ward[seat] = 1
        f.picked = places(0, int(s.struck[1 - seat]) & int(s.heroes[1 - seat]))
        f.step = 1
    left = f.picked
    if left == 0:
        next_operation(f)
        return
    f.picked = left & (left - 1)
    push_defeat(s, 1 - seat, slot_at(lowest(left)), False)


def revive(s: State, f: Frame) -> None:
    """REVIVE: turn a corpse into a hero (PT-77)."""
    seat = f.seat
    if asks_for_one(s, f, all_corpses(s, seat)):
        return
    if f.step == 1:
        place = place_answered(s)
        turn_over(s, unit_at(seat, place), slot_at(place))
        f.kept = s.card[unit_at(seat, place), slot_at(place)]
    next_operation(f)


def row_corpses(s: State, f: Frame, how: int) -> None:
    """ROW_CORPSES: put all corpses of a row into their owners' hands or discards."""
    seat = f.seat
    if f.step == 0:
        rows = rows_of(int(s.corpses[seat])) | rows_of(int(s.corpses[1 - seat])) << ROWS
        if rows:
            f.step = 1
            ask(s, seat, Decision.ROW, rows, False)
            return
    else:
        row = s.answer - Act.ROW
        u = seat if row < ROWS else 1 - seat
        left = int(s.corpses[u]) & SlotSet.ROW << 3 * (row % ROWS)
        while left:
            slot, left = first_and_rest(left)
            if how == How.ROW_CORPSES_HAND:
                to_owners_hand(s, u, slot)
            else:
                to_owners_discard(s, u, slot)
    next_operation(f)


def rows_of(slots: int) -> int:
    """The rows that have some of these slots."""
    rows = 0
    for row in range(ROWS):
        if slots & SlotSet.ROW << 3 * row:
            rows |= 1 << row
    return rows


# -- changing places ------------------------------------------------------------------------------------


def swap(s: State, f: Frame, how: int) -> None:
    """SWAP: exchange the contents of two occupied hero slots of a unit."""
    seat = f.seat
    u = seat if how == How.SWAP_OWN else 1 - seat
    cards = occupied(s, u)
    some = places(cards, 0) if u == seat else places(0, cards)
    if f.step == 0 and cards & (cards - 1):
        f.step = 1
        ask(s, seat, Decision.PICK, some, False)
    elif f.step == 1:
        f.first = place_answered(s)
        f.step = 2
        ask(s, seat, Decision.PICK2, some & ~(1 << f.first), False)
    else:
        if f.step == 2:
            exchange(s, u, slot_at(f.first), slot_at(place_answered(s)))
        next_operation(f)


def swap_self(s: State, f: Frame) -> None:
    """SWAP_SELF: exchange this hero and another of its unit."""
    seat, slot = f.seat, f.slot
    others = int(s.heroes[seat]) & ~(1 << slot)
    if asks_for_one(s, f, others):
        return
    if f.step == 1:
        exchange(s, seat, slot, place_answered(s))
        f.slot = place_answered(s)
    next_operation(f)


def choose_column(s: State, f: Frame, following: int) -> None:
    """COLUMN: choose a column with a hero; before ARRANGE, one with an opposing hero or corpse."""
    seat = f.seat
    if f.step == 0:
        if following == Operation.ARRANGE:
            slots = occupied(s, 1 - seat)
        else:
            slots = int(s.heroes[seat]) | int(s.heroes[1 - seat])
        columns = (slots | slots >> 3 | slots >> 6) & SlotSet.ROW
        if columns:
            f.step = 1
            ask(s, seat, Decision.COLUMN, columns, False)
            return
    else:
        f.column = s.answer - Act.COLUMN
    next_operation(f)


def arrange(s: State, f: Frame, how: int) -> None:
    """ARRANGE: exchange contents within a set of slots, at most one time fewer than it has slots."""
    seat = f.seat
    u, slots = seat, SlotSet.HEROES
    if how != How.ARRANGE_OWN:
        u = 1 - seat
        slots = SlotSet.COLUMN << f.column & SlotSet.HEROES if f.column >= 0 else 0
    if f.step == 2:
        f.first = place_answered(s)
        f.step = 3
        rest = slots & ~(1 << slot_at(f.first))
        ask(s, seat, Decision.PICK2, places(rest, 0) if u == seat else places(0, rest), False)
        return
    if f.step == 0:
        f.left = size(slots) - 1
    else:
        exchange(s, u, slot_at(f.first), slot_at(place_answered(s)))
        f.first = -1
        f.left -= 1
    cards = occupied(s, u) & slots
    if cards and f.left > 0:
        f.step = 2
        ask(s, seat, Decision.PICK, places(cards, 0) if u == seat else places(0, cards), True)
    else:
        next_operation(f)


# -- recruiting -----------------------------------------------------------------------------------------


def recruit(s: State, f: Frame, how: int, n: int) -> None:
    """RECRUIT: recruit one or more heroes from the hand into a row (PT-94: at most nine)."""
    seat = f.seat
    if f.step == 0:
        f.left = min(n, MOST_RECRUITS)
        if how == How.RECRUIT_WAVE_ROW:
            f.chosen_row = s.wave
            f.step = 2
        elif s.hand[seat] == 0 or empty(s, seat) == 0:
            next_operation(f)
            return
        else:
            f.step = 1
            ask(s, seat, Decision.ROW, rows_of(empty(s, seat)), False)
            return
    if f.step == 1:
        f.chosen_row = s.answer - Act.ROW
        f.step = 2
    row = f.chosen_row
    if f.step == 2:
        columns = empty_columns(s, seat, row)
        if s.hand[seat] == 0 or columns == 0:
            next_operation(f)
            return
        f.step = 3
        ask(s, seat, Decision.RECRUITS, columns, n == MANY)
        return
    choice = s.answer - Act.RECRUIT
    f.left -= 1
    if f.left > 0:
        f.step = 2
    else:
        next_operation(f)
    f.kept = choice // COLUMNS
    push_recruit(s, seat, choice // COLUMNS, 3 * row + choice % COLUMNS)


def strike(s: State, f: Frame) -> None:
    """STRIKE: let the recruited hero attack."""
    seat = f.seat
    slot = slot_of(s, seat, f.kept) if f.kept >= 0 else -1
    next_operation(f)
    if slot >= 0:
        push_strike(s, seat, slot, False)


def discard_it(s: State, f: Frame) -> None:
    """DISCARD_IT: discard the recruited hero, or its corpse."""
    seat = f.seat
    slot = slot_of(s, seat, f.kept) if f.kept >= 0 else -1
    if slot >= 0:
        to_owners_discard(s, seat, slot)
    next_operation(f)


# -- attacks ----------------------------------------------------------------------------------------------


def grant(s: State, f: Frame, how: int, kind: int) -> None:
    """GRANT: let a member of the unit attack (PT-48)."""
    seat = f.seat
    some = granted(s, seat, f.slot, f.row, how, kind)
    if asks_for_one(s, f, some):
        return
    chosen = f.step == 1
    next_operation(f)
    if chosen:
        push_attack(s, seat, place_answered(s), kind, False)


def fronts_attack(s: State, f: Frame) -> None:
    """FRONTS_ATTACK: let the front heroes attack in melee, column by column."""
    seat = f.seat
    if f.step == 0:
        f.picked = front_heroes(s, seat)
        f.step = 1
    for column in range(COLUMNS):
        chosen = f.picked & SlotSet.COLUMN << column
        if chosen == 0:
            continue
        f.picked &= ~chosen
        able = chosen & front_heroes(s, seat) & ~int(s.moved[seat])
        if able and s.round_number > 1:  # PT-38, PT-39
            push_attack(s, seat, lowest(able), Damage.MELEE, False)
            return
    next_operation(f)


def copy_power(s: State, f: Frame, row: int) -> None:
    """COPY: use the power of another hero."""
    seat = f.seat
    some = copied_heroes(s, seat, f.slot, row)
    if asks_for_one(s, f, some):
        return
    chosen = f.step == 1
    next_operation(f)
    if chosen and is_hero(s, seat, f.slot):
        place = place_answered(s)
        card = int(s.card[unit_at(seat, place), slot_at(place)])
        push_power(s, seat, f.slot, card, row)
