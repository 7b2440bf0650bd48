"""The chi-square test for counts that should be equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TypeVar

Outcome = TypeVar("Outcome")


def is_uniform(found: Counter[Outcome], expected: Collection[Outcome]) -> bool:
    """Whether exactly these outcomes occur, and about equally often (one error in a million)."""
    if {*found} != {*expected}:
        return False
    mean = sum(found.values()) / len(expected)
    square = sum((found[outcome] - mean) ** 2 / mean for outcome in expected)
    degrees = len(expected) - 1
    # Wilson and Hilferty: the cube root of chi-square over its degrees is almost normal.
    spread = 2 / (9 * max(degrees, 1))
    return degrees == 0 or (square / degrees) ** (1 / 3) < 1 - spread + 4.75 * spread**0.5
