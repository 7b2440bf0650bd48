"""The other codings of Pressure Matrix have the same information as the shipped one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import new_records
from polytrix.games.pressure_matrix.effects import CATALOGUE
from polytrix.games.pressure_matrix.tiles import NODES_BY_TEXT
from polytrix.testing import check_no_leak

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "studies"))

from pressure_matrix_coded import CODINGS
from pressure_matrix_codings import FACE_FEATURES, WIDTH, features

SHIPPED = CODINGS["shipped"]
OTHERS = [name for name in CODINGS if name != "shipped"]


def positions(players: int, steps: int) -> Iterator[Any]:
    """States of random play."""
    options = {"players": players, "max_decisions": 100, "reverse": ("known", "drawn")[players % 2]}
    simulator = Simulator(SHIPPED, 2, options, seed=players, mode=Mode.PLAIN)
    for step in range(steps):
        yield from simulator.states
        if step % 8 == 7:  # nearly no Credits, very many
            simulator.states["credits"][:, :players] = np.random.default_rng(step).choice(
                [0, 1, 3, 30, 300], players
            )
        running = np.flatnonzero(~simulator.over)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions(running), running)


def shown(game: Game, s: Any, seat: int) -> np.ndarray:
    """The observation of a seat."""
    out = np.zeros(game.observations.size, np.int8)
    game.observe(s, seat, out)
    return out


def test_sizes() -> None:
    assert {name: CODINGS[name].observations.size for name in CODINGS} == {
        "shipped": 1805,
        "features": 5360,
        "numbers": 786,
        "together": 1747,
    }
    assert CODINGS["features"].observations.offset("face") == 932
    assert CODINGS["features"].observations.offset("clock") == 5359


def test_features_tell_nodes_and_faces_apart() -> None:
    rows = {tuple(features(*node)) for node in NODES_BY_TEXT.values()}
    assert len(rows) == len(NODES_BY_TEXT) == sum(max(1, len(effect.amounts)) for effect in CATALOGUE)
    assert len(np.unique(FACE_FEATURES.reshape(100, -1), axis=0)) == 100


@pytest.mark.parametrize("players", [2, 3, 5])
def test_same_blocks_and_bounds(players: int) -> None:
    for s in positions(players, 60):
        for seat in range(players):
            want = SHIPPED.observations.view(shown(SHIPPED, s, seat))
            for name in OTHERS:
                layout = CODINGS[name].observations
                out = shown(CODINGS[name], s, seat)
                assert (layout.low <= out).all() and (out <= layout.high).all(), name
                seen = layout.view(out)
                for block in layout:
                    if block.name in want and block.shape == want[block.name].shape:
                        assert (seen[block.name] == want[block.name]).all(), (name, block.name)
            check_features(CODINGS["features"].observations.view(shown(CODINGS["features"], s, seat)), want, s)
            check_together(CODINGS["together"].observations.view(shown(CODINGS["together"], s, seat)), want)


def check_features(seen: dict[str, np.ndarray], want: dict[str, np.ndarray], s: Any) -> None:
    """Faces, markers and the pending effect, which *features* has in another form."""
    nothing = np.zeros((1, 4, WIDTH), np.int8)
    by_number = np.concatenate([nothing, FACE_FEATURES])
    assert (seen["face"] == by_number[want["face"]]).all()
    assert (seen["reverse"] == by_number[want["reverse"]]).all()
    assert (seen["reverse_known"] == (want["reverse"] > 0)).all()
    assert seen["square_exists"].sum() == (0, 0, 9, 16, 16, 25)[s.num_players]
    assert (seen["marker"][:, :, 0] == want["own_marker"]).all()
    assert (seen["marker"][:, :, 1:] @ [1, 2, 3, 4] == want["rival_marker"]).all()
    assert seen["effect"].tolist() == features(int(s.code), int(s.amount))


def check_together(seen: dict[str, np.ndarray], want: dict[str, np.ndarray]) -> None:
    """Nodes, which *together* has in another form."""
    assert (seen["best"] == want["best"]).all()
    names = ("gain", "rivals", "hand", "teleport", "flip", "invert", "pressure", "special", "kind")
    for aspect, name in enumerate(names):
        assert (seen["effects"][:, :, aspect] == want[f"node_{name}"]).all(), name
    for aspect, name in enumerate(names[:-1]):
        assert (seen["here"][:, aspect] == want[f"here_{name}"]).all(), name
    assert (seen["here"][:, 8] == want["here_kind"] @ np.arange(1, 14)).all()


@pytest.mark.parametrize("name", OTHERS)
def test_the_greedy_opponent_rates_alike(name: str) -> None:
    game = CODINGS[name]
    work, ids = new_records(2, game.state), np.zeros(game.max_legal, np.int16)
    rated = 0
    for s in positions(3, 50):
        if s.mover < 0 or s.credits.max() > 127:
            continue
        count = game.legal(s, ids)
        want, found = np.zeros(game.max_legal, np.float32), np.zeros(game.max_legal, np.float32)
        SHIPPED.greedy(shown(SHIPPED, s, s.mover), ids, count, work, want)
        game.greedy(shown(game, s, s.mover), ids, count, work, found)
        assert want.tolist() == found.tolist()
        rated += len(set(want[:count].tolist())) > 1
    assert rated > 20


@pytest.mark.parametrize("name", OTHERS)
def test_no_leaks(name: str) -> None:
    options = {"players": 3, "reverse": "drawn", "max_decisions": 20}
    checked = check_no_leak(
        CODINGS[name], options, games=2, decisions=10, pictures=0, playouts=0, mode=Mode.PLAIN
    )
    assert checked > 0
