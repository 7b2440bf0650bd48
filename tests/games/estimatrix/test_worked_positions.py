"""The worked positions, in plain Python and compiled."""

from __future__ import annotations

import pytest

from polytrix.core.compile.compiler import Mode
from tests.games.scripts import blocks, cases, every_mode

from .positions import WORKED, run


@every_mode
@pytest.mark.parametrize("lines", cases(blocks(WORKED)))
def test_worked_position(lines: list[str], mode: Mode) -> None:
    run(lines, mode)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["n=4 pairs=02", "= pairs 03"], "pairs 03: it is 02"),
        (["n=4 K=0 N=1", "> ban red; hint milk; set white = unseen 0 by 0,1"], "unseen"),
    ],
)
def test_a_wrong_line_is_noticed(lines: list[str], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        run(lines, Mode.PLAIN)
