"""Payoffs and the potential."""

from __future__ import annotations

import pytest

from polytrix.core.state import OVER
from polytrix.games.pressure_matrix import GAME

from .random_positions import positions


@pytest.mark.clause("PM-86", "PM-87", "PM-92")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_payoffs(players: int) -> None:
    for payoff in ("win", "margin"):
        for s in positions(players, 300, seed=players, payoff=payoff, max_decisions=40):
            if s.mover != OVER:
                continue
            out = GAME.payoffs(s)
            scores = [int(s.credits[p]) + int(s.hand[p]) for p in range(players)]
            ranks = [(scores[p], int(s.hand[p])) for p in range(players)]
            best = [p for p in range(players) if ranks[p] == max(ranks)]
            for p in range(players):
                others = [scores[q] for q in range(players) if q != p]
                if payoff == "margin":
                    expected = scores[p] - sum(others) / len(others)
                elif len(best) == players:
                    expected = 0
                else:
                    expected = 1 / len(best) if p in best else -1 / (players - len(best))
                assert out[p] == pytest.approx(expected, abs=1e-5)
            assert abs(sum(out)) < 1e-4


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_potential(players: int) -> None:
    for s in positions(players, 50, seed=players):
        values = [int(s.credits[p]) + int(s.hand[p]) for p in range(players)]
        found = [GAME.potential(s, seat) for seat in range(players)]
        for seat in range(players):
            others = [values[p] for p in range(players) if p != seat]
            assert found[seat] == pytest.approx(0.05 * (values[seat] - sum(others) / len(others)))
        assert sum(found) == pytest.approx(0)
