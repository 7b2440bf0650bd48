"""The worked positions, in plain Python and compiled."""

from pathlib import Path

import pytest

from polytrix.core.compile.compiler import Mode
from tests.games.scripts import blocks

from .positions import run

SCRIPT = Path(__file__).with_name("worked_positions.txt")
CASES = [
    pytest.param(lines, id=name, marks=pytest.mark.clause(*clauses))
    for name, clauses, lines in blocks(SCRIPT, ";")
]


def test_all_are_there() -> None:
    assert len(CASES) == 22


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.COMPILED], ids=lambda mode: mode.value)
@pytest.mark.parametrize("lines", CASES)
def test_worked_position(lines: list[str], mode: Mode) -> None:
    run(lines, mode)


def test_a_wrong_line_is_noticed() -> None:
    with pytest.raises(AssertionError, match="board red:Rd1"):
        run(["start", "board red:Rd1"], Mode.PLAIN)
