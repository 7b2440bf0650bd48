"""The ends of moves, against an obvious search through all paths."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode, program
from polytrix.games.pressure_matrix.reach import reach

Place = tuple[int, int]


def reach_all(free: np.ndarray, starts: np.ndarray, steps: np.ndarray, out: np.ndarray) -> None:
    """A driver: one search per entry."""
    for i in range(free.shape[0]):
        out[i] = reach(free[i], starts[i], steps[i])


COMPILED = program(reach_all, {}, Mode.CHECKED, "reach")


def paths(free: set[Place], here: Place, steps: int) -> Iterator[Place]:
    """The ends of all paths, one by one."""
    if steps == 0:
        yield here
        return
    row, column = here
    for there in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if there in free:
            yield from paths(free - {there}, there, steps - 1)


def obvious(free: set[Place], start: Place, steps: int) -> int:
    return sum(1 << (5 * row + column) for row, column in set(paths(free, start, steps)))


def squares(places: set[Place]) -> int:
    return sum(1 << (5 * row + column) for row, column in places)


def board(side: int) -> set[Place]:
    return {(row, column) for row in range(side) for column in range(side)}


@pytest.mark.clause("PM-18", "PM-19", "PM-20", "PM-21")
@pytest.mark.parametrize(
    ("side", "most_steps", "share", "count"),
    [(3, 21, 0.85, 400), (4, 16, 0.7, 300), (5, 12, 0.85, 300), (5, 21, 0.6, 100)],
)
def test_on_random_boards(side: int, most_steps: int, share: float, count: int) -> None:
    dice = random.Random(f"{side} {most_steps}")
    cases = []
    for _ in range(count):
        start = dice.randrange(side), dice.randrange(side)
        free = {place for place in board(side) if dice.random() < share} - {start}
        cases.append((free, start, dice.randint(1, most_steps)))
    expected = [obvious(*case) for case in cases]
    numbers = [(squares(free), 5 * start[0] + start[1], steps) for free, start, steps in cases]
    assert [reach(*case) for case in numbers] == expected
    assert compiled(numbers) == expected
    assert any(expected) and not all(expected)


def compiled(cases: list[tuple[int, int, int]]) -> list[int]:
    out = np.zeros(len(cases), np.int64)
    COMPILED(*(np.array(column, np.int64) for column in zip(*cases, strict=True)), out)
    return [int(found) for found in out]
