"""What the seats see, against the obvious model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.state import Phase
from polytrix.games.pressure_matrix.tiles import NODES_BY_TEXT, parse_tiles
from tests.games.by_hand import observed
from tests.games.samples import walk

from .obvious import observation_of
from .random_positions import met
from .test_scattered import scatter


@pytest.mark.parametrize("steps", [30, pytest.param(90, marks=pytest.mark.slow)])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_in_games(players: int, steps: int) -> None:
    options = {"reverse": ("known", "drawn")[players % 2], "payoff": ("win", "margin")[players // 4]}
    games = Simulator(GAME, 6, {"players": players, "max_decisions": 150, **options}, seed=players)
    rng = np.random.default_rng(players)
    for step, simulator in enumerate(walk(games, steps)):
        if step % 10 == 9:  # few Credits, and very many, where nothing depends on them yet
            quiet = np.isin(simulator.states["phase"], (Phase.BEFORE_ROLL, Phase.MOVE, Phase.NODE))
            simulator.states["credits"][quiet, :players] = rng.integers(0, 12, (quiet.sum(), players))
            simulator.states["credits"][quiet & (np.arange(6) == 5), 0] = 500
            simulator.refresh()
        for seat in range(players):
            observation = simulator.view(seat)[0]
            for s, seen in zip(simulator.states, observation, strict=True):
                wanted = observation_of(s, seat)
                assert (seen == wanted).all(), GAME.observations.describe(seen - wanted)
            assert (GAME.observations.low <= observation).all()
            assert (observation <= GAME.observations.high).all()


def random_tiles(rng: np.random.Generator) -> dict[str, Any]:
    """A tile set of any nodes but TOLL (a face has at most one), many of them dependent on the position."""
    nodes = [text for text in NODES_BY_TEXT if not text.startswith("TOLL")]
    chances = np.array([10.0 if text.startswith(ON_POSITION) else 1.0 for text in nodes])
    faces = rng.choice(nodes, (100, 4), p=chances / chances.sum()).tolist()
    return {"tiles": [{"front": faces[i], "back": faces[i + 1]} for i in range(0, 100, 2)]}


ON_POSITION = ("WIN_", "LEADER_PAYS", "GIVE_EACH", "STEAL_EACH")


@pytest.mark.clause("PM-36", "PM-37", "PM-38", "PM-39", "PM-40", "PM-41", "PM-42", "PM-83")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_any_tiles_in_positions_that_are_rare_in_play(players: int) -> None:
    """Full and empty tiles, poor and rich seats; the shipped tiles, compiled, and any others, in Python."""
    rng = np.random.default_rng(players)
    tiles = random_tiles(rng)
    game, faces = GAME.with_data(tiles=tiles), np.array(parse_tiles(tiles))
    simulator = Simulator(GAME, 40, {"players": players}, seed=players)
    for s in simulator.states:
        scatter(s, rng)
        if s.phase != Phase.PAYER:  # it asks the richest seats
            s.credits[:players] = rng.integers(0, rng.choice([3, 12, 40]), players)
    asked = np.flatnonzero(simulator.states["mover"] >= 0)
    assert len(asked) > 20
    for seat in range(players):
        compiled = simulator.view(seat)[0]
        for row in asked:
            assert (compiled[row] == observation_of(simulator.states[row], seat)).all()
    simulator.states["marker"] = 0  # on nodes that are special in the shipped set only
    for row in asked:
        for seat in range(players):
            s = simulator.states[row]
            seen = observed(game, s, seat)
            wanted = observation_of(s, seat, faces[..., 0], faces[..., 1])
            assert (seen == wanted).all(), GAME.observations.describe(seen - wanted)


def test_a_seat_that_is_asked_for_a_shield() -> None:
    """All see from whom is stolen, and how much."""
    s = met(lambda states: (states["phase"] == Phase.SHIELD) & (states["stake"] > 0))[0]
    for seat in range(3):
        assert (observed(GAME, s, seat) == observation_of(s, seat)).all()
