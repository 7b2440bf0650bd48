"""The twenty-five cards, read from `cards.json` into tables.

A card has five effects: as a hero in the rows V, F, R, as an order (O) and as a leader (L). Its type is its
index in the file, which is in alphabetical order.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from polytrix.core.constants import Constants
from polytrix.core.state import IntArray

from .effects import NO_MODIFIER, Effect, Mark, Operation, parse_effect


class Which(Constants):
    """Index of an effect; the rows are 0, 1, 2."""

    ORDER, LEADER = 3, 4


EFFECT_KEYS = ("vanguard", "flank", "rear", "order")


class Card(NamedTuple):
    """One type of card."""

    code: str
    name: str
    token: str
    """The name without spaces, for notation."""
    leader_name: str
    effects: tuple[Effect, ...]
    """V, F, R, O, L."""


def _read() -> Any:
    return json.loads((Path(__file__).parents[1] / "cards.json").read_text(encoding="utf-8"))["cards"]


def _card(row: Any) -> Card:
    effects = [row[key] for key in EFFECT_KEYS] + [row["leader"]["ability"]]
    return Card(
        row["code"],
        row["name"],
        row["name"].replace(" ", ""),
        row["leader"]["name"],
        tuple(parse_effect(words, text) for words, text in effects),
    )


_ROWS = _read()
CARDS = tuple(_card(row) for row in _ROWS)
"""All cards by type."""

TYPES = 25
NO_ABILITY = TYPES
"""The type of a leader without ability (PT-13); the tables of leaders have a row for it."""

TOKENS = tuple(card.token for card in CARDS)

MOST_OPERATIONS = 3  # of an effect


def _numbers(values: list[Any]) -> IntArray:
    return np.array(values, np.int64)


def _with_none(table: IntArray, none: int | IntArray = 0) -> IntArray:
    """The table, with one more row for NO_ABILITY."""
    return np.concatenate([table, np.broadcast_to(none, (1, *table.shape[1:]))])


def _operations() -> IntArray:
    table = np.zeros((TYPES, Which.ORDER + 1, MOST_OPERATIONS + 1, 4), np.int64)
    for kind, card in enumerate(CARDS):
        for which in range(Which.ORDER + 1):
            for step, operation in enumerate(card.effects[which].operations):
                table[kind, which, step] = operation
    return table


STRENGTH = _numbers([row["strength"] for row in _ROWS])
"""[type]: printed strength of the hero."""
LIFE = _numbers([row["life"] for row in _ROWS])
"""[type]: life of the hero."""
MIRROR_CARD = next(i for i, card in enumerate(CARDS) if card.effects[Which.LEADER].marks & Mark.MIRROR)
"""The leader that copies the other (PT-13)."""


LEADER_STRENGTH = _numbers([row["leader"]["strength"] for row in [*_ROWS, _ROWS[MIRROR_CARD]]])
"""[type or NO_ABILITY]: strength as a leader."""
LEADER_LIFE = _numbers([row["leader"]["life"] for row in [*_ROWS, _ROWS[MIRROR_CARD]]])
"""[type or NO_ABILITY]: life as a leader."""
OPERATIONS = _operations()
"""[type, which, step]: operation, how, n, k; a STOP follows the last one."""
MARKS = _with_none(_numbers([[effect.marks for effect in card.effects] for card in CARDS]))
"""[type or NO_ABILITY, which]: a set of `Mark`."""
NUMBER = _with_none(_numbers([[effect.number for effect in card.effects] for card in CARDS]))
"""[type or NO_ABILITY, which]: the number of the mark that has one."""
STR = _with_none(
    _numbers([[effect.strength for effect in card.effects] for card in CARDS]), _numbers([NO_MODIFIER])
)
"""[type or NO_ABILITY, which]: the STR: measure, n, who (-1: there is none), condition."""
GUARD = _with_none(
    _numbers([[effect.guard for effect in card.effects] for card in CARDS]), _numbers([NO_MODIFIER])
)
"""[type or NO_ABILITY, which]: the GUARD: measure, n, who (-1: there is none), condition."""


def has_power(kind: int, row: int) -> bool:
    """Whether the card has a power in this row (PT-45)."""
    return bool(OPERATIONS[kind, row, 0, 0] != Operation.STOP)


def copies(kind: int, row: int) -> bool:
    """Whether its power in this row copies another."""
    return bool(OPERATIONS[kind, row, 0, 0] == Operation.COPY)
