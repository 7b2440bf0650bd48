"""Observations in positions that are rare in play; `test_whole_games.py` compares those of games."""

from __future__ import annotations

import random

import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.estimatrix import GAME

from .forged import forge
from .obvious import obvious_position
from .play import observed
from .random_positions import some_options

clause = pytest.mark.clause


@clause("ES-10", "ES-12", "ES-25", "ES-46")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_positions_that_are_rare_in_play_look_as_the_obvious_table_says(players: int) -> None:
    rng = random.Random(players)
    games = [some_options(rng) | {"players": players} for _ in range(80)]
    simulator = Simulator(GAME, len(games), games, seed=players)
    for s in simulator.states:
        forge(s, rng)
        assert GAME.check(s, s) == 0
    for seat in range(players):
        compiled = simulator.view(seat)[0]
        for row, s in enumerate(simulator.states):
            expected = obvious_position(s).observation(seat)
            assert (compiled[row] == expected).all(), GAME.observations.describe(compiled[row] - expected)
            assert row % 8 or (observed(s, seat) == expected).all()
