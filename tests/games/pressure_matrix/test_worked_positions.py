"""The worked positions, and others for single clauses, in plain Python and compiled."""

from __future__ import annotations

import pytest

from polytrix.core.compile.compiler import Mode
from tests.games.scripts import blocks, cases

from .positions import MORE, WORKED, run


@pytest.mark.parametrize("mode", [Mode.PLAIN, pytest.param(Mode.COMPILED, marks=pytest.mark.slow)])
@pytest.mark.parametrize("lines", cases([*blocks(WORKED), *blocks(MORE)]))
def test_worked_position(lines: list[str], mode: Mode) -> None:
    """Slow where programs for other tiles are compiled; `test_the_same_game_however_it_is_run` compares
    plain Python with machine code.
    """
    run(lines, mode)


def test_a_wrong_line_is_noticed() -> None:
    with pytest.raises(AssertionError, match="credits 10,9"):
        run(["n=2 runners=a1,c3", "= credits 10,9"], Mode.PLAIN)
