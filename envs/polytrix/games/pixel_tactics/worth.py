"""The greedy policy's values of damage, cards and effects, on a board from `recover.py`."""

from __future__ import annotations

import numpy as np

from polytrix.core.bits import first_and_rest, lowest
from polytrix.core.state import FloatArray

from .board.passives import attack_damage, life, melee_targets, targets
from .board.units import front_heroes
from .cards.cards import CARDS, LEADER_LIFE, LEADER_STRENGTH, LIFE, MARKS, STRENGTH, has_power
from .cards.effects import Mark
from .recover import FOE, OWN
from .state import LEADER_SLOT, Damage, Row, SlotSet, State

LEAST = -1000.0
CENTRE = 1  # the middle column


def _table(by_code: dict[str, float], other: float) -> FloatArray:
    return np.array([by_code.get(card.code, other) for card in CARDS], np.float32)


POWER_WORTH: FloatArray = _table(
    {
        "DRA": 6.0, "MAS": 3.5, "OVE": 3.5, "ALC": 3.0, "SCI": 3.0, "SUM": 3.0, "TRA": 3.0, "TEM": 3.0,
        "ORA": 2.5, "MYS": 2.0,
    },
    1.5,
)  # fmt: skip
"""[type]: value of a power of this card in any row; the Assassin's depends on its damage."""

ORDER_WORTH: FloatArray = _table(
    {
        "ILL": 1.0, "ORA": 1.0, "OVE": 1.0, "PRI": 1.0, "SCI": 1.0, "SUM": 1.0,
        "HOM": 0.0, "MYS": 0.0, "PAL": 0.0, "WIT": 0.0,
    },
    0.5,
)  # fmt: skip
"""[type]: value of an order that does not depend on the board."""


def _types(*codes: str) -> tuple[int, ...]:
    return tuple(next(kind for kind, card in enumerate(CARDS) if card.code == code) for code in codes)


ALCHEMIST, ASSASSIN, BERSERKER, FIGHTER, GUNNER, KNIGHT, PLANESTALKER, PYROMANCER, TRAPPER = _types(
    "ALC", "ASS", "BER", "FIG", "GUN", "KNI", "PLA", "PYR", "TRA"
)

# -- damage -------------------------------------------------------------------------------------------


def worth(s: State, u: int, slot: int, damage: int) -> float:
    """The value, for the other seat, of damage on a member of unit u."""
    left = life(s, u, slot) - int(s.damage[u, slot])
    if slot == LEADER_SLOT:
        return 1.5 * damage + (100.0 if damage >= left > 0 else 0.0)
    if left <= 0:
        return 0.0
    return 0.7 * min(damage, left) + (3.0 if damage >= left else 0.0)


def harm(s: State, u: int, slot: int, damage: int) -> float:
    """The same for the viewer: negative in its own unit."""
    return worth(s, u, slot, damage) if u == FOE else -worth(s, u, slot, damage)


def area(s: State, slots: int, damage: int) -> float:
    """The value of damage to all heroes on a set of slots, in both units."""
    return harm_all(s, FOE, int(s.heroes[FOE]) & slots, damage) + harm_all(
        s, OWN, int(s.heroes[OWN]) & slots, damage
    )


def harm_all(s: State, u: int, slots: int, damage: int) -> float:
    """The value of damage to all members on a set of slots of a unit."""
    total = 0.0
    while slots:
        total += harm(s, u, lowest(slots), damage)
        slots &= slots - 1
    return total


def hit(s: State, slot: int, kind: int) -> float:
    """The value of an attack of the own member, on its best target."""
    best = 0.0
    left = targets(s, OWN, kind)
    while left:
        target, left = first_and_rest(left)
        best = max(best, worth(s, FOE, target, attack_damage(s, OWN, slot, target, kind)))
    return best


# -- cards --------------------------------------------------------------------------------------------


def card_worth(card: int) -> float:
    """The value of a card in hand."""
    return 0.1 * float(STRENGTH[card] + LIFE[card])


def leader_worth(card: int) -> float:
    """The value of a card as the leader."""
    return float(LEADER_LIFE[card] + 2 * LEADER_STRENGTH[card])


def recruit_worth(card: int, row: int, column: int) -> float:
    """The value of a card as a hero on a slot."""
    if row == Row.VANGUARD:
        value = 2.0 + 0.25 * float(LIFE[card]) + 0.15 * float(STRENGTH[card])
        if MARKS[card, Row.VANGUARD] & Mark.INTERCEPT_SELF:
            value += 1.0
        return value + (0.5 if column == CENTRE else 0.0)
    value = 1.5
    if has_power(card, row):
        value += 1.5
    if MARKS[card, row] & Mark.RANGED_SELF:
        value += 0.3 * float(STRENGTH[card])
    return value


def power_worth(s: State, card: int) -> float:
    """The value of a power of a card."""
    if card == ASSASSIN:
        return 0.5 + worth(s, FOE, LEADER_SLOT, 3)
    return float(POWER_WORTH[card])


def order_worth(s: State, card: int, foe_cards: int) -> float:
    """The value of a card as an order; `foe_cards` is the size of the opposing hand."""
    if card == FIGHTER:
        return best_column(s)
    if card == GUNNER:
        return area(s, SlotSet.ROW << 3 * Row.REAR, 4)
    if card == PLANESTALKER:
        return area(s, SlotSet.ROW << 3 * Row.FLANK, 5)
    if card == PYROMANCER:
        return area(s, SlotSet.ROW << 3 * Row.VANGUARD, 7)
    if card == KNIGHT:
        return harm_all(s, FOE, melee_targets(s, OWN), 4)
    if card in (ALCHEMIST, ASSASSIN):
        return 5.0 if s.heroes[FOE] else -1.0
    if card == TRAPPER:
        return 1.2 * min(3, foe_cards)
    if card == BERSERKER:
        return fronts_worth(s)
    return float(ORDER_WORTH[card])


def best_column(s: State) -> float:
    """The value of the Fighter's order in its best column with a hero."""
    heroes = int(s.heroes[OWN]) | int(s.heroes[FOE])
    best = LEAST
    for column in range(3):
        if heroes & SlotSet.COLUMN << column:
            best = max(best, area(s, SlotSet.COLUMN << column, 5))
    return best if heroes else 0.0


def fronts_worth(s: State) -> float:
    """The value of the Berserker's order: a melee attack by each own front hero."""
    if s.round_number == 1:
        return 0.0
    total = 0.0
    left = front_heroes(s, OWN) & ~int(s.moved[OWN])
    while left:
        total += hit(s, lowest(left), Damage.MELEE)
        left &= left - 1
    return total
