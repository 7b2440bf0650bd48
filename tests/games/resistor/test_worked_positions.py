"""The worked positions, in plain Python and compiled."""

from __future__ import annotations

from pathlib import Path

import pytest

from polytrix.core.compile.compiler import Mode
from tests.games.scripts import blocks, cases, every_mode

from .positions import run


@every_mode
@pytest.mark.parametrize("lines", cases(blocks(Path(__file__).with_name("worked_positions.txt"), "#")))
def test_worked_position(lines: list[str], mode: Mode) -> None:
    run(lines, mode)


def test_a_wrong_line_is_noticed() -> None:
    with pytest.raises(AssertionError, match="is lv 1/2"):
        run(["pos row 42a+ 44a-", "is lv 1/1; left FDS", "is lv 1/2"], Mode.PLAIN)
