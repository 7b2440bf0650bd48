"""The worked positions, in plain Python and compiled."""

from __future__ import annotations

import pytest

from polytrix.core.compile.compiler import Mode
from tests.games.scripts import blocks

from .positions import WORKED, run

CASES = [
    pytest.param(lines, id=name, marks=pytest.mark.clause(*clauses)) for name, clauses, lines in blocks(WORKED)
]


def test_all_are_there() -> None:
    assert sorted({name[:3] for name, _, _ in blocks(WORKED)}) == [f"W{number:02}" for number in range(1, 31)]


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.COMPILED], ids=lambda mode: mode.value)
@pytest.mark.parametrize("lines", CASES)
def test_worked_position(lines: list[str], mode: Mode) -> None:
    run(lines, mode)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["n=4 pairs=02", "= pairs 03"], "pairs 03: it is 02"),
        (["n=4", "> ban white = legal 7-53"], "legal 7-53: it is 7-54"),
        (["n=4 K=0 N=1", "> ban red; hint milk; set white = unseen 0 by 0,1"], "unseen"),
        (["n=4 K=0 N=1", "= entries 2 6-11 7"], "entries 2 6-11 7: it is 2 6-11 8"),
    ],
)
def test_a_wrong_line_is_noticed(lines: list[str], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        run(lines, Mode.PLAIN)
