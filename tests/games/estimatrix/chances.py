"""All outcomes of the random draws of some code, with exact probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from types import ModuleType
from typing import TypeVar

import pytest

Result = TypeVar("Result")


def every_outcome(module: ModuleType, act: Callable[[], Result]) -> Iterator[tuple[Result, Fraction]]:
    """Results of `act` and their probabilities. Apart from its module's draws, `act` must be deterministic."""
    left: list[list[int]] = [[]]
    drawn: list[int] = []
    chance, place = Fraction(1), 0

    def draw(_: object, n: int) -> int:
        nonlocal chance, place
        if place == len(drawn):
            left.extend([*drawn, outcome] for outcome in range(1, n))
            drawn.append(0)
        chance, place = chance / int(n), place + 1
        return drawn[place - 1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "draw", draw)
        while left:
            drawn, chance, place = left.pop(), Fraction(1), 0
            yield act(), chance
