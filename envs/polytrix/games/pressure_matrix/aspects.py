"""How observations show a node: by nine numbers, its aspects.

A node that can still be blacked out is shown by what it would do now; one that is blacked out by zeros. So
agents can compare the nodes of a tile, and squares by their nodes, without knowing thirty-two codes. Each
aspect has a block with bounds of its own, since networks scale numbers by their bounds: a flag beside Credits
up to 13 would hardly show.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core.constants import Constants
from polytrix.core.state import ByteArray

from .effects import CATALOGUE, CODES, Code, Level

Entries = npt.NDArray[np.int32]
"""The bytes of each number are four entries of an observation: those of the nodes of a tile, in their order."""


class Aspect(Constants):
    """The numbers that show a node."""

    GAIN, RIVALS, MARKER, TELEPORT, FLIP, INVERT, PRESSURE, SPECIAL, KIND = range(9)


class Kind(Constants):
    """Values of KIND; each special code has one of its own."""

    SWAP, DISCARD_RIVAL, FIRST_SPECIAL = 1, 2, 3


class DependsOn(Constants):
    """What the Credits that a node brings depend on, besides its amount."""

    NOTHING, OWN_CREDITS, RIVAL_CREDITS, POSITION = range(4)


LARGEST = 13  # Credits that a node brings are shown up to here: more than any single amount
KINDS = 2 + len(CODES) - Code.FIRST_SPECIAL

ASPECTS = len(Aspect)
ASPECTS_SHOWN = (
    (LARGEST, "own Credits"),
    (LARGEST, "Credits of all others"),
    (1, "markers in the own hand"),
    (1, "TELEPORT"),
    (1, "FLIP; -1: FLIP_THIS"),
    (1, "INVERT; -1: INVERT_THIS"),
    (2, "steps of the level"),
    (1, "it takes a Control Marker"),
    (KINDS, "kind of the rest: 1 SWAP, 2 DISCARD_RIVAL, 3 and more the special ones"),
)
"""Bound and meaning of each."""

CONTROLS = (
    *(f"MOVE {x:+d}" for x in (-3, -2, -1, 1, 2, 3)),
    *(f"LEVEL {name}" for name in Level.names()),
    *CODES[Code.JUMP :],
)
"""What a marker can be used for: the columns of the block `held`."""

_OF_AMOUNT = {
    "WIN": {Aspect.GAIN: 1},
    "DISCARD_WIN": {Aspect.GAIN: 1},
    "PAY": {Aspect.GAIN: -1},
    "PAY_RECLAIM": {Aspect.GAIN: -1},
    "STEAL": {Aspect.GAIN: 1, Aspect.RIVALS: -1},
    "GIVE": {Aspect.GAIN: -1, Aspect.RIVALS: 1},
    "PRESSURE": {Aspect.PRESSURE: 1},
}
"""By code: the aspects that are its amount, or less than zero by it."""
_FIXED = {
    "TELEPORT": (Aspect.TELEPORT, 1),
    "FLIP": (Aspect.FLIP, 1),
    "FLIP_THIS": (Aspect.FLIP, -1),
    "INVERT": (Aspect.INVERT, 1),
    "INVERT_THIS": (Aspect.INVERT, -1),
    "RECLAIM": (Aspect.MARKER, 1),
    "PAY_RECLAIM": (Aspect.MARKER, 1),
    "DISCARD": (Aspect.MARKER, -1),
    "DISCARD_WIN": (Aspect.MARKER, -1),
    "SWAP": (Aspect.KIND, Kind.SWAP),
    "DISCARD_RIVAL": (Aspect.KIND, Kind.DISCARD_RIVAL),
}
_DEPENDS = {
    "PAY": DependsOn.OWN_CREDITS,
    "GIVE": DependsOn.OWN_CREDITS,
    "PAY_RECLAIM": DependsOn.OWN_CREDITS,
    "STEAL": DependsOn.RIVAL_CREDITS,
    "WIN_LEVEL": DependsOn.POSITION,
    "WIN_BLACK": DependsOn.POSITION,
    "LEADER_PAYS": DependsOn.POSITION,
    "GIVE_EACH": DependsOn.POSITION,
    "STEAL_EACH": DependsOn.POSITION,
}

DEPENDS: ByteArray = np.array(
    [0, *(_DEPENDS.get(effect.code, DependsOn.NOTHING) for effect in CATALOGUE)], np.int8
)
"""[code]: what the Credits that it brings depend on."""


def shown(code: int, amount: int) -> list[int]:
    """The aspects of a node while all seats have Credits enough; no Credits if they depend on the position.

    >>> shown(CODES.index("STEAL"), 3)
    [3, -3, 0, 0, 0, 0, 0, 0, 0]
    """
    name = CODES[code]
    numbers = [0] * ASPECTS
    for aspect, sign in _OF_AMOUNT.get(name, {}).items():
        numbers[aspect] = sign * amount
    if name in _FIXED:
        aspect, value = _FIXED[name]
        numbers[aspect] = value
    if code >= Code.FIRST_SPECIAL:
        numbers[Aspect.KIND] = Kind.FIRST_SPECIAL + code - Code.FIRST_SPECIAL
        numbers[Aspect.SPECIAL] = 1
    return numbers


def as_entries(numbers: npt.NDArray[np.integer[Any]]) -> Entries:
    """Numbers of the four nodes of tiles, along the last axis, as bytes of integers; the first node is lowest.

    >>> as_entries(np.array([[1, 2, 0, 0], [-1, -1, -1, -1]])).tolist()
    [513, -1]
    """
    return np.ascontiguousarray(numbers, "<i1").view("<i4")[..., 0].astype(np.int32)


def control_column(code: int, amount: int) -> int:
    """The column of `held` that a special node belongs to; -1 for others."""
    if code < Code.FIRST_SPECIAL:
        return -1
    name = CODES[code]
    if name == "MOVE":
        return CONTROLS.index(f"MOVE {amount:+d}")
    return CONTROLS.index(f"LEVEL {Level.names()[amount]}" if name == "LEVEL" else name)
