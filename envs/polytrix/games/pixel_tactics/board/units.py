"""The two units: their heroes and corpses, and how these enter, leave and change slots."""

from __future__ import annotations

from polytrix.core.bits import exchanged, first_and_rest

from ..state import LEADER_SLOT, SLOTS, SlotSet, State

LEADER_BIT = 1 << LEADER_SLOT


def members(s: State, u: int) -> int:
    """PT-04: slots of living heroes and the leader."""
    return int(s.heroes[u]) | LEADER_BIT


def occupied(s: State, u: int) -> int:
    """Hero slots with a hero or a corpse."""
    return int(s.heroes[u]) | int(s.corpses[u])


def empty(s: State, u: int) -> int:
    """PT-04: hero slots with neither."""
    return SlotSet.HEROES & ~occupied(s, u)


def empty_columns(s: State, u: int, row: int) -> int:
    """Columns with an empty hero slot in a row."""
    return empty(s, u) >> 3 * row & SlotSet.ROW


def behind(slots: int) -> int:
    """All slots behind these in their columns."""
    return (slots << 3 | slots << 6) & SlotSet.ALL


def front(s: State, u: int) -> int:
    """PT-08: members with no member of their unit before them."""
    inside = members(s, u)
    return inside & ~behind(inside)


def front_heroes(s: State, u: int) -> int:
    """Front members that are heroes."""
    return front(s, u) & SlotSet.HEROES


def is_hero(s: State, u: int, slot: int) -> bool:
    """PT-04: whether a living hero is on the slot."""
    return bool(int(s.heroes[u]) >> slot & 1)


def is_corpse(s: State, u: int, slot: int) -> bool:
    """PT-04: whether a corpse is on the slot."""
    return bool(int(s.corpses[u]) >> slot & 1)


def owner(s: State, u: int, slot: int) -> int:
    """PT-07: the seat from whose deck the hero or corpse comes."""
    return u ^ (int(s.captives[u]) >> slot & 1)


def damaged(s: State, u: int) -> int:
    """Living heroes with damage."""
    found = 0
    left = int(s.heroes[u])
    while left:
        slot, left = first_and_rest(left)
        if s.damage[u, slot] > 0:
            found |= 1 << slot
    return found


def slot_of(s: State, u: int, card: int) -> int:
    """The slot of the unit's own hero or corpse of this type; -1 if there is none."""
    left = occupied(s, u) & ~int(s.captives[u])
    while left:
        slot, left = first_and_rest(left)
        if s.card[u, slot] == card:
            return slot
    return -1


# -- coming, going, changing places -----------------------------------------------------------------


def place_hero(s: State, u: int, slot: int, card: int) -> None:
    """Put a living hero on an empty slot, without damage or marks."""
    s.card[u, slot] = card
    s.heroes[u] |= 1 << slot


def lift(s: State, u: int, slot: int) -> None:
    """Take a hero or corpse off its slot, with its damage and marks (PT-104)."""
    stay = ~(1 << slot)
    s.card[u, slot] = -1
    s.heroes[u] &= stay
    s.corpses[u] &= stay
    s.captives[u] &= stay
    s.acted[u] &= stay
    s.fresh[u] &= stay
    s.moved[u] &= stay
    clean(s, u, slot)


def clean(s: State, u: int, slot: int) -> None:
    """PT-71: remove what a corpse loses."""
    stay = ~(1 << slot)
    s.damage[u, slot] = 0
    s.boost[u, slot] = 0
    s.hurt[u] &= stay
    s.struck[u] &= stay


def turn_over(s: State, u: int, slot: int) -> None:
    """Turn a hero into a corpse, or a corpse into a hero."""
    s.heroes[u] ^= 1 << slot
    s.corpses[u] ^= 1 << slot


def exchange(s: State, u: int, a: int, b: int) -> None:
    """PT-105: exchange the contents of two hero slots, with damage and marks."""
    s.card[u, a], s.card[u, b] = int(s.card[u, b]), int(s.card[u, a])
    s.damage[u, a], s.damage[u, b] = int(s.damage[u, b]), int(s.damage[u, a])
    s.boost[u, a], s.boost[u, b] = int(s.boost[u, b]), int(s.boost[u, a])
    s.heroes[u] = exchanged(int(s.heroes[u]), a, b)
    s.corpses[u] = exchanged(int(s.corpses[u]), a, b)
    s.captives[u] = exchanged(int(s.captives[u]), a, b)
    s.acted[u] = exchanged(int(s.acted[u]), a, b)
    s.fresh[u] = exchanged(int(s.fresh[u]), a, b)
    s.moved[u] = exchanged(int(s.moved[u]), a, b)
    s.hurt[u] = exchanged(int(s.hurt[u]), a, b)
    s.struck[u] = exchanged(int(s.struck[u]), a, b)


# -- places: slots of both units, as one seat sees them -----------------------------------------------


def places(own: int, foe: int) -> int:
    """A set of places from sets of own and opposing slots."""
    return own | foe << SLOTS


def unit_at(seat: int, place: int) -> int:
    """The unit of a place, as `seat` sees it."""
    return seat if place < SLOTS else 1 - seat


def slot_at(place: int) -> int:
    """The slot of a place."""
    return place if place < SLOTS else place - SLOTS


def all_heroes(s: State, seat: int) -> int:
    """Places of all living heroes."""
    return places(int(s.heroes[seat]), int(s.heroes[1 - seat]))


def all_damaged(s: State, seat: int) -> int:
    """Places of all living heroes with damage."""
    return places(damaged(s, seat), damaged(s, 1 - seat))


def all_corpses(s: State, seat: int) -> int:
    """Places of all corpses."""
    return places(int(s.corpses[seat]), int(s.corpses[1 - seat]))
