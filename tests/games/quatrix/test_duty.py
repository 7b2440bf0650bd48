"""The duty to use both dice in rare random positions; `duty.py` runs more of them by hand."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board

from . import duty, obvious
from .play import set_board


@pytest.mark.clause("QX-70", "QX-71", "QX-72", "QX-82")
@pytest.mark.parametrize("positions", [3_000, pytest.param(12_000, marks=pytest.mark.slow)])
def test_legal_moves_are_those_of_the_plain_definition(positions: int) -> None:
    seen = duty.compare(positions, seed=2)
    floors = {
        "second decision": 0.5,
        "two numbers": 0.5,
        "doubles": 0.1,
        "the duty forbids some": 0.02,
        "... although one die has no move before the first": 0.005,
        "one die has no move before the first, none forbidden": 0.005,
        "pass": 0.005,
    }
    for kind, floor in floors.items():
        assert seen[kind] >= floor * positions, f"too few tests of {kind}: {seen}"


def test_the_positions_are_what_both_sides_are_told() -> None:
    simulator, turns = duty.first_decisions(np.random.default_rng(1), 200)
    for s, turn in zip(simulator.states, turns, strict=True):
        assert obvious.read(s) == turn
        again = s.copy()
        set_board(again, board(s))
        assert again.tobytes() == s.tobytes()
        for enemy in (0, 3):
            pieces = [unit - enemy for unit in turn.units.values() if 1 <= unit - enemy <= 3]
            assert pieces.count(1) + pieces.count(3) <= 7, GAME.text(s, None)
            assert pieces.count(2) + pieces.count(3) <= 7, GAME.text(s, None)


def test_looking_for_legal_moves_leaves_no_move_on_record() -> None:
    """The search carries moves out and takes them back."""
    simulator, _ = duty.first_decisions(np.random.default_rng(1), 60)
    for field in ("first_kind", "first_from", "first_to", "first_direction"):
        assert not simulator.states[field].any(), field
