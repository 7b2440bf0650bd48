"""The rules against the obvious model in rare positions; `side_by_side.py` runs more of them by hand."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.games.quatrix.state import board

from .play import set_board
from .random_positions import first_decisions
from .side_by_side import compare


@pytest.mark.clause(
    "QX-02", "QX-08", "QX-10", "QX-12", "QX-15", "QX-16", "QX-20", "QX-21", "QX-22", "QX-31", "QX-42", "QX-44",
    "QX-50", "QX-52", "QX-60", "QX-62", "QX-70", "QX-71", "QX-72", "QX-80", "QX-81", "QX-82",
    "QX-83", "QX-84", "QX-85",
)  # fmt: skip
@pytest.mark.parametrize(
    ("mode", "positions"),
    [(Mode.COMPILED, 3_500), (Mode.PLAIN, 150), pytest.param(Mode.COMPILED, 20_000, marks=pytest.mark.slow)],
    ids=["compiled", "plain", "many"],
)
def test_every_decision_of_a_turn(mode: Mode, positions: int) -> None:
    seen = compare(positions, seed=2, mode=mode)
    floors = {
        "second die": 0.4,
        "two numbers": 0.5,
        "doubles": 0.1,
        "the duty forbids some": 0.02,
        "... although one die has no move before the first": 0.005,
        "one die has no move before the first, none forbidden": 0.005,
        "pass": 0.005,
        "return": 0.02,
        "win": 0.003,
    }
    for kind, floor in floors.items():
        assert seen[kind] >= int(floor * positions), f"too few tests of {kind}: {seen}"


def test_looking_for_legal_moves_leaves_no_move_on_record() -> None:
    """The search carries moves out and takes them back; both seats are told of the same pieces."""
    for s in first_decisions(np.random.default_rng(1), 200, Mode.PLAIN).states:
        assert not any(s[name] for name in ("first_kind", "first_from", "first_to", "first_direction"))
        again = s.copy()
        set_board(again, board(s))
        assert again.tobytes() == s.tobytes()
