"""What a game pays, its limit, and the potential."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER
from polytrix.games.resistor import GAME

from . import obvious_row
from .obvious import TOKENS
from .positions import Position

clause = pytest.mark.clause


@clause("RS-45", "RS-46", "RS-49")
@pytest.mark.parametrize(
    ("position", "play", "result", "payoff"),
    [
        ("row 0b+ 2b- 21a+; left F; lv 1/4; opt max_decisions=1", "F3", "R win", [1, -1]),
        ("row 48a+ 32a+ 18a-; left F; lv 4/4", "F3", "draw win", [0, 0]),
        ("row 42a+ 49b+; left F", "F2", "R short", [1, -1]),
        ("row 42a+ 49b+; left F; lv 4/1", "F2", "B short", [-1, 1]),
        ("row 42a+ 49b+; left F; lv 2/1", "F2", "draw short", [0, 0]),
        ("row 20b+ 44a+ 21a+; deck 43; lv 2/1", "D[43a] T-", "B deck", [-1, 1]),
    ],
)
def test_what_a_result_pays(position: str, play: str, result: str, payoff: list[float]) -> None:
    """A result with the last decision counts."""
    table = Position(position).play(play)
    assert (table.fact("over"), payoffs(table)) == (result, payoff)


def test_a_game_that_is_cut_off_pays_nothing() -> None:
    table = Position("row 42a+ 44a+ 46a+; lv 1/4; opt max_decisions=1").play("F1")
    assert (table.state.mover, table.state.truncated, payoffs(table)) == (OVER, 1, [0, 0])


def payoffs(table: Position) -> list[float]:
    out = np.zeros(2, np.float32)
    GAME.payoff(table.state, out)
    return out.tolist()


def test_the_potential_compares_levels_and_gaps() -> None:
    """Red lacks one card (47a- is blue, 37 too), Blue three of four."""
    s = Position("row 42a+ 44a+ 37a+ 46a+; lv 1/3; R 36a 38a").state
    faces = [(TOKENS[card][0], False) for card in (42, 44, 37, 46)]
    assert [obvious_row.need(obvious_row.graph_of(faces, colour)) for colour in "rb"] == [1, 3]
    simulator = Simulator(GAME, 1, seed=0)
    simulator.states[0] = s
    assert simulator.potential()[0].tolist() == pytest.approx([2 / 6 + 2 / 42, -2 / 6 - 2 / 42])
    simulator.states["mover"] = OVER
    assert simulator.potential()[0].tolist() == [0, 0]
