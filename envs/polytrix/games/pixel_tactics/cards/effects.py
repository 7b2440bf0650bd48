"""The vocabulary of `cards.json`, and its numbers.

An effect is a list of phrases, separated by semicolons. There are three kinds:

- operations: the steps of a power or an order, carried out in sequence by the files of `operations/`, for
  example `PING 1 5`;
- marks: lasting properties of heroes and leaders, for example `INTERCEPT fore`, and triggers, for example
  `END_HIT 1`;
- modifiers: `STR n who condition` and `GUARD n who condition`, which change strength and damage.

The record does not store marks and modifiers; rules read them from the cards in play (PT-06).
"""

from __future__ import annotations

from typing import NamedTuple

from polytrix.core.constants import Constants

# -- operations -----------------------------------------------------------------------------------


class Operation(Constants):
    """Operations, grouped by the file of `operations/` that carries them out."""

    STOP = 0  # after the last one
    # damage.py
    HIT, HIT_ALL, PING, SPLIT_HIT, HEAL, SPLIT_HEAL, GATHER, SHIFT = range(1, 9)
    # field.py
    BOOST, WARD, ADD_ACTIONS, LOSE_ACTION, DEFEAT, RETURN, REVIVE, ROW_CORPSES, SWAP = range(9, 18)
    SWAP_SELF, COLUMN, ARRANGE, RECRUIT, DISCARD_IT, GRANT, FRONTS_ATTACK, STRIKE, COPY = range(18, 27)
    # cards.py
    DRAW, REDRAW, REORDER, SIFT, SEARCH, SPY_DISCARD, FOE_DISCARD, USE, PLAY_MANY, PLAY_DRAWN = range(27, 37)


class How(Constants):
    """The variants of operations: the operation, and the word after it in `cards.json`."""

    HIT_FOE_LEADER, HIT_SELF = range(2)
    HIT_ALL_V, HIT_ALL_F, HIT_ALL_R, HIT_ALL_COLUMN, HIT_ALL_FRONT_MEMBER = range(5)
    HEAL_HERO, HEAL_SELF, HEAL_LEADER = range(3)
    SHIFT_LEADER, SHIFT_HERO = range(2)
    DEFEAT_HERO, DEFEAT_FRONT_HERO = range(2)
    RETURN_OWN_HERO, RETURN_FRONT_HERO = range(2)
    ROW_CORPSES_HAND, ROW_CORPSES_DISCARD = range(2)
    SWAP_OWN, SWAP_FOE = range(2)
    ARRANGE_OWN, ARRANGE_FOE_COLUMN = range(2)
    RECRUIT_WAVE_ROW, RECRUIT_CHOSEN_ROW = range(2)
    GRANT_OTHER_IN_ROW, GRANT_ANY_FRONT, GRANT_OTHER_FRONT, GRANT_LEADER, GRANT_SELF = range(5)
    COPY_V, COPY_F, COPY_R = range(3)
    USE_OWN, USE_LEADER, USE_SHOWN, USE_RANDOM = range(4)


# Words that stand for numbers.
REVIVED_LIFE = -1  # HIT self: the printed life of the revived hero
MANY = 99  # "all", "any"
NUMBERS = {"revived_life": REVIVED_LIFE, "all": MANY, "any": MANY}
GRANTED = {"melee": 0, "ranged": 1}  # the first number of a GRANT

# -- marks ----------------------------------------------------------------------------------------


class Mark(Constants):
    """One bit for each mark, named like its words."""

    (
        INTERCEPT_SELF, INTERCEPT_FORE, INTERCEPT_HEROES,
        RANGED_SELF, RANGED_FORE, RANGED_SUPP, RANGED_LEADER, RANGED_HEROES,
        IMMUNE_SELF_RANGED, IMMUNE_LEADER_RANGED, IMMUNE_SUPP_ATTACKS,
        THORNS_UNIT_MELEE, THORNS_SELF_ANY,
        SHIELD_REAR, SHIELD_UNIT, SHIELD_FORE,
        DRAIN_SELF, DRAIN_UNIT, SWEEP, DOUBLE_SELF_VS_LEADER,
        AIM, EXECUTE, OVERFLOW, MIRROR,
        FREE_RECRUIT, FREE_ORDER, FREE_CLEAR, FREE_RESTRUCTURE, ACTIONS, NO_CLEAR,
        OPEN_HAND, PEEK, CORPSES_ATTACK,
        END_HIT, END_HEAL, LEVEL, ORDER_HIT, FIRST_ORDER_SHOT, LAST_STRIKE, RECRUIT_STRIKE, CAPTURE,
    ) = (1 << i for i in range(41))  # fmt: skip


# -- modifiers ------------------------------------------------------------------------------------


class Who(Constants):
    """Who gets a STR or GUARD: this hero, the one before or behind it, the leader, all heroes, all members."""

    SELF, FORE, SUPP, LEADER, HEROES, UNIT = range(6)


class Measure(Constants):
    """The amount of a STR: a number, or one read from the board."""

    FIXED, PRINTED, DAMAGE, CORPSES, LEVEL = range(5)


class Condition(Constants):
    """Conditions of a STR or GUARD, named like their words."""

    ALWAYS, VS_HERO, VS_INTERCEPT, MELEE, IF_FIRST, IF_SECOND, IF_HURT, IF_CORPSE_IN_FRONT = range(8)


class Step(NamedTuple):
    """An operation with its variant and numbers."""

    code: int
    how: int = 0
    n: int = 0
    k: int = 0


class Modifier(NamedTuple):
    """A STR or GUARD."""

    measure: int = Measure.FIXED
    n: int = 0
    who: int = -1
    condition: int = Condition.ALWAYS


NO_MODIFIER = Modifier()


class Effect(NamedTuple):
    """One of a card's five effects, as numbers.

    Args:
        words: its phrases, as in the card file.
        text: what it does, for people.
        operations: at most three.
        marks: a set of marks.
        number: the number of a mark (at most one mark of an effect has one); else 0.
        strength, guard: its modifiers.
    """

    words: tuple[str, ...]
    text: str
    operations: tuple[Step, ...]
    marks: int
    number: int
    strength: Modifier
    guard: Modifier


def parse_effect(phrases: str, text: str) -> Effect:
    """Read an effect.

    >>> effect = parse_effect("INTERCEPT self; STR 2 self", "intercepts; 2 stronger")
    >>> effect.marks == Mark.INTERCEPT_SELF, effect.strength
    (True, Modifier(measure=0, n=2, who=0, condition=0))
    >>> parse_effect("PING 1 5", "Power: 1 damage to each of up to five heroes, one by one").operations
    (Step(code=3, how=0, n=1, k=5),)
    """
    words = tuple(word.strip() for word in phrases.split(";"))
    operations: list[Step] = []
    marks, number, strength, guard = 0, 0, NO_MODIFIER, NO_MODIFIER
    for word in words:
        name, *rest = word.split()
        if name in Operation.members():
            operations.append(_operation(name, rest))
        elif name == "STR":
            strength = _modifier(rest)
        elif name == "GUARD":
            guard = _modifier(rest)
        else:
            mark = "_".join(part for part in word.split() if not part.isdigit())
            marks |= Mark.members()[mark.upper()]
            number = next((int(part) for part in rest if part.isdigit()), number)
    return Effect(words, text, tuple(operations), marks, number, strength, guard)


def _operation(name: str, rest: list[str]) -> Step:
    how = 0
    numbers: list[int] = []
    for part in rest:
        if (variant := f"{name}_{part}".upper()) in How.members():
            how = How.members()[variant]
        elif part in GRANTED:
            numbers.append(GRANTED[part])
        else:
            numbers.append(NUMBERS[part] if part in NUMBERS else int(part))
    return Step(Operation.members()[name], how, *numbers)


def _modifier(rest: list[str]) -> Modifier:
    amount, who, *condition = rest
    fixed = amount.isdigit()
    return Modifier(
        Measure.FIXED if fixed else Measure.members()[amount.upper()],
        int(amount) if fixed else 0,
        Who.members()[who.upper()],
        Condition.members()["_".join(condition).upper() or "ALWAYS"],
    )
