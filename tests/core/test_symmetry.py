"""Permutations of axes as tables, and positions shown under them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polytrix.core.layout import Axis, Block, Layout, Symmetry
from polytrix.core.symmetry import Symmetries, relabel, symmetries_of
from tests.high import HIGH

SUIT = Axis("suit", 3)
GAME = replace(
    HIGH,
    actions=Layout(Block("pass", (1,), "pass"), Block("play", (2, SUIT), "hand, suit")),
    observations=Layout(
        Block("held", (SUIT,), "cards of a suit", high=9),
        Block("trump", (1,), "the suit, 0 none", high=3, names="suit"),
        Block("score", (1,), "of the viewer", low=-128, high=127),
    ),
    symmetries=({}, {"suit": (2, 0, 1)}),  # the first suit becomes the last one
    clauses={},
)


def shown(
    symmetries: Symmetries, which: list[int], seen: list[list[int]], legal: list[list[int]]
) -> list[list[int]]:
    """What is seen and legal in some positions, each under its symmetry; 9 where nothing has been written."""
    given = np.array(seen, np.int8), np.array([row + [0] * (4 - len(row)) for row in legal], np.int16)
    made = np.full_like(given[0], 9), np.full_like(given[1], 9)
    count = np.array([len(row) for row in legal], np.int32)
    relabel(symmetries, np.array(which), np.arange(len(which)), *given, count, *made)
    return [[*row, *ids] for row, ids in zip(made[0].tolist(), made[1].tolist(), strict=True)]


def test_entries_actions_and_names_change_places() -> None:
    position, legal = [5, 6, 7, 1, -128], [0, 1, 5]
    before, after = shown(symmetries_of(GAME), [0, 1], [position, position], [legal, legal])
    assert before == [5, 6, 7, 1, -128, 0, 1, 5, 9]
    assert after == [6, 7, 5, 3, -128, 0, 3, 4, 9]
    assert shown(symmetries_of(GAME), [1], [[0, 0, 0, 0, 127]], [[6]])[0][3:6] == [0, 127, 5]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"siut": (2, 0, 1)}, r"name axes \['siut'\]; allowed: .*'suit'"),
        ({"suit": (0, 1)}, "does not permute the axes .*'suit'.* of the block 'play'"),
        ({"suit": (2, 0, 0)}, "does not permute the axes .*'suit'.* of the block 'play'"),
    ],
)
def test_what_permutes_no_axis_is_refused(wrong: Symmetry, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        symmetries_of(replace(GAME, symmetries=({}, wrong)))
