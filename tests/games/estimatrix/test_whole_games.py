"""Whole games, compared with the slow model in `obvious.py`."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.exchange import set_pair
from polytrix.games.estimatrix.lexicon import FACE
from polytrix.games.estimatrix.state import Phase

from .obvious import Table, obvious_table
from .play import go, new_game
from .random_positions import VARIETY

clause = pytest.mark.clause


def compare(s: Any, table: Table, simulator: Simulator, row: int) -> None:
    """Assert that a game and its model agree in all that players get."""
    n = table.n
    assert (int(s.mover) if s.mover >= 0 else None) == table.mover
    assert (s.mover == OVER) == table.over and bool(s.truncated) == table.cut
    assert {frozenset(pair) for pair in np.argwhere(s.pair).tolist()} == table.pairs
    for seat in range(n):
        observation, mask = simulator.view(seat, [row])
        expected = table.observation(seat)
        assert (observation[0] == expected).all(), GAME.observations.describe(observation[0] - expected)
        assert np.flatnonzero(mask[0]).tolist() == (table.legal() if seat == table.mover else [])
    if table.over:
        assert simulator.reward[row, :n].tolist() == pytest.approx([float(x) for x in table.payoffs()])


@clause(
    "ES-17", "ES-18", "ES-20", "ES-21", "ES-22", "ES-23", "ES-24", "ES-25", "ES-26", "ES-27", "ES-28", "ES-29",
    "ES-31", "ES-33", "ES-34", "ES-36", "ES-38", "ES-39", "ES-40", "ES-41", "ES-42", "ES-44", "ES-45", "ES-46",
    "ES-48",
)  # fmt: skip
@pytest.mark.parametrize("number", range(len(VARIETY)))
def test_games_are_those_of_the_obvious_table(number: int) -> None:
    """Random play; half of the hints come from a few words, so that they are repeated."""
    options = VARIETY[number]
    rng = random.Random(number)
    simulator = Simulator(GAME, 2, options, seed=number)
    for row in range(2):
        for _ in range(1 + row):
            s = simulator.states[row]
            table = obvious_table(s)
            if options.get("ban") == "rolled":
                table.rolled(int(s.banned))
            compare(s, table, simulator, row)
            while not table.over:
                legal = simulator.legal_ids[row, : simulator.num_legal[row]].tolist()
                action = rng.choice(legal[:3] if rng.random() < 0.5 else legal)
                simulator.step([action], [row])
                table.play(action)
                if table.turn.rolling and not table.over:
                    table.rolled(int(s.banned))
                compare(s, table, simulator, row)
            simulator.restart([row])


@clause("ES-01")
@pytest.mark.parametrize("players", [2, 7])
def test_three_to_six_play(players: int) -> None:
    assert GAME.player_counts == (3, 4, 5, 6)
    with pytest.raises(ValueError, match=f"'players' is {players}; allowed: one of 3, 4, 5, 6"):
        GAME.options.validate({"players": players})


@clause("ES-06", "ES-07", "ES-08", "ES-09")
def test_set_up_event_by_event() -> None:
    """First Negater, each word's readings, each seat's wavelengths: every outcome is stored in its field."""
    states = new_game(players=5)
    s = states[0]
    rng = random.Random(1)
    outcomes = []
    while s.phase == Phase.SETUP:
        assert s.mover == CHANCE and not s.known.any()
        outcomes.append(rng.randrange(GAME.chance(s)))
        go(states, outcomes[-1])
    assert len(outcomes) == 1 + 48 * 3 + 5 * 6
    assert (s.negater, s.kvanter, s.mover) == (outcomes[0], (outcomes[0] + 1) % 5, (outcomes[0] + 1) % 5)
    for v in range(48):
        for w in range(3):
            assert s.reading[w, v] == FACE[v, outcomes[1 + 3 * v + w]]
    for p in range(5):
        for d in range(6):
            assert s.wave[p, d] == outcomes[145 + 6 * p + d]


def test_the_potential_is_half_the_lead() -> None:
    rng = random.Random(0)
    for n in (3, 4, 5, 6):
        s = new_game(players=n, hints="none")[0]
        for one, other in combinations(range(n), 2):
            set_pair(s, one, other, rng.randrange(2))
        letters = s.pair.sum(axis=1)
        values = [GAME.potential(s, seat) for seat in range(n)]
        for seat in range(n):
            others = [int(letters[p]) for p in range(n) if p != seat]
            assert values[seat] == pytest.approx(0.5 * (letters[seat] - np.mean(others)) / (n - 1))
        assert sum(values) == pytest.approx(0)
