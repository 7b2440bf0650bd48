"""Payoffs, the limit and the potential."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board

from .play import Position
from .random_positions import decisions, seen_from

clause = pytest.mark.clause


@clause("QX-83", "QX-84", "QX-85")
@pytest.mark.parametrize(("scoring", "stake"), [("win", 1.0), ("odds", 2 / 3)])
@pytest.mark.parametrize("colour", ["red", "blue"])
def test_payoffs(colour: str, scoring: str, stake: float) -> None:
    picture = """
        10 p p p p p p d
        9 D . . . . . .
        5 . . . . . . r"""
    turned = """
        7 R . . . . . .
        3 . . . . . . d
        2 D P P P P P P"""
    table = Position(picture if colour == "red" else turned, scoring=scoring).roll(f"{colour} 5-1")
    table.play("Rg5+g10#" if colour == "red" else "Ra7+a2#")
    assert table.result == f"{colour} 2"
    out = np.zeros(2, np.float32)
    GAME.payoff(table.state, out)
    assert out.tolist() == pytest.approx([stake, -stake] if colour == "red" else [-stake, stake])


@clause("QX-86")
def test_the_limit_ends_the_game_without_a_winner() -> None:
    simulator = Simulator(GAME, options={"max_decisions": 7, "scoring": "odds"}, seed=3)
    for _ in range(7):
        assert not simulator.over[0]
        simulator.step(simulator.random_actions())
    assert simulator.truncated[0]
    assert simulator.reward.tolist() == [[0, 0]]
    assert simulator.states[0].winner == -1


def potential(s: Record, seat: int) -> float:
    """Advance of the own pieces less that of the enemy's, as a fraction of all that is possible."""
    z = 10 - int(s.options.finish_depth)
    weights = {0: 0, 1: 1, 2: 1, 3: 2}
    advance = []
    for view in (seat, 1 - seat):
        units = seen_from(view, board(s))
        advance.append(sum(weights.get(int(units[r, c]), 0) * min(r, z) for r in range(11) for c in range(7)))
    return (advance[0] - advance[1]) / (14 * z)


def test_potential() -> None:
    simulator = decisions(np.random.default_rng(9), 300)
    found = simulator.potential()
    for s, pair in zip(simulator.states, found, strict=True):
        assert pair.tolist() == pytest.approx([potential(s, 0), potential(s, 1)], abs=1e-6)
    assert np.abs(found.sum(axis=1)).max() < 1e-6
