"""The tile set: the shipped one, a user's own, and errors in others."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import DataError
from polytrix.core.simulator import Simulator
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.aspects import CONTROLS, control_column
from polytrix.games.pressure_matrix.effects import CATALOGUE, CODES, CONDITION, When
from polytrix.games.pressure_matrix.tiles import FACE_CODE, NODES_BY_TEXT, SOURCE, node_text, parse_tiles
from tests.games import planted
from tests.shared.pages import table

SHIPPED = json.loads(SOURCE.read_text(encoding="utf-8"))
changed = partial(planted.changed, SHIPPED)


def sides(content: Any) -> list[list[str]]:
    return [tile[side] for tile in content["tiles"] for side in ("front", "back")]


def test_the_page_counts_the_nodes_of_each_effect() -> None:
    rows = [[effect.code, str(np.count_nonzero(code == FACE_CODE))] for code, effect in enumerate(CATALOGUE, 1)]
    assert [[row[0], row[2]] for row in table(GAME, "Tiles")] == rows


def test_only_special_nodes_have_a_column_of_markers() -> None:
    """By the table as it is written: -1 for all other nodes."""
    for code, amount in NODES_BY_TEXT.values():
        name = node_text(code, amount)
        name = CODES[code] if CODES[code] in CONTROLS else name
        is_special = CONDITION[code] != When.INSTANT
        assert control_column(code, amount) == (CONTROLS.index(name) if is_special else -1)


def test_every_node_is_read_and_written_alike() -> None:
    assert all(node_text(*node) == text for text, node in NODES_BY_TEXT.items())
    assert {"WIN 9", "MOVE +3", "MOVE -1", "PRESSURE -2", "LEVEL YELLOW", "JUMP"} <= set(NODES_BY_TEXT)
    assert not {"WIN 0", "WIN 10", "MOVE 1", "MOVE +0", "LEVEL", "JUMP 1", "win 1"} & set(NODES_BY_TEXT)
    for face, side in zip(parse_tiles(SHIPPED), sides(SHIPPED), strict=True):
        assert [node_text(*node) for node in face] == side


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], r"the tile set is \[\]; allowed: an object with 'tiles'"),
        ({"tiles": SHIPPED["tiles"][:49]}, "tiles has 49 entries; allowed: a list of 50 tiles"),
        (changed("tiles", 3, value={"front": ["WIN 1"] * 4}), r"tiles\[3\] is .*back"),
        (changed("tiles", 3, "tile", value=5), r"tiles\[3\] has the number 5; allowed: 4"),
        (
            changed("tiles", 0, "back", value=["WIN 1"] * 3),
            r"\[0\].back has 3 entries; allowed: a list of 4 nodes, nw",
        ),
        (changed("tiles", 7, "front", 2, value="WINN 2"), r"front\[2\] is 'WINN 2'; .*Did you mean 'WIN'\?"),
        (
            changed("tiles", 7, "front", 2, value="WIN 10"),
            r"\[2\] is 'WIN 10'; allowed with WIN: 'WIN 1'",
        ),
        (
            changed("tiles", 7, "front", 2, value="MOVE 2"),
            r"'MOVE 2'; allowed with MOVE: 'MOVE -3', .*'MOVE \+3",
        ),
        (changed("tiles", 7, "front", 2, value="LEVEL BLUE"), "allowed with LEVEL: 'LEVEL GREEN'"),
        (changed("tiles", 7, "front", 2, value="JUMP 1"), "allowed with JUMP: 'JUMP'"),
        (
            changed("tiles", 7, "front", value=["TOLL 1", "TOLL 2", "WIN 1", "JUMP"]),
            "2 TOLL nodes; allowed: at most one",
        ),
    ],
)
def test_what_is_wrong_is_said(content: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        GAME.with_data(tiles=content)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    """Nothing but WIN and PAY: rules, text and observation all know these tiles only."""
    face = ["WIN 1", "WIN 9", "PAY 1", "PAY 9"]
    content = {"tiles": [{"tile": i + 1, "front": face, "back": face} for i in range(50)]}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(content))
    game = GAME.with_data(tiles=str(path))
    simulator = Simulator(game, options={"max_decisions": 60}, seed=0, mode=Mode.PLAIN)
    text = game.text(simulator.states[0], None)
    assert all(node.capitalize() in text for node in face) and "Steal" not in text
    assert game.observations.view(simulator.observation[0])["best"].max() == 9
    while not simulator.over[0]:
        simulator.step(simulator.random_actions())
        assert game.check(simulator.states[0], simulator.states[0]) == 0
    assert not simulator.states[0].control.any() and not simulator.states[0].marker.any()
    assert "Steal" in GAME.text(Simulator(GAME, seed=0, mode=Mode.PLAIN).states[0], None)


def test_the_largest_amounts_keep_the_observation_in_bounds() -> None:
    face = ["STEAL_EACH 9", "GIVE_EACH 9", "LEADER_PAYS 9", "MOVE +3"]
    content = {"tiles": [{"tile": i + 1, "front": face, "back": face} for i in range(50)]}
    game = GAME.with_data(tiles=content)
    simulator = Simulator(game, options={"players": 5, "max_decisions": 40}, seed=0, mode=Mode.PLAIN)
    seen = np.zeros(game.observations.size, np.int8)
    while not simulator.over[0]:
        simulator.step(simulator.random_actions())
        for seat in range(5):
            seen = simulator.view(seat)[0][0]
            assert (game.observations.low <= seen).all() and (seen <= game.observations.high).all()
    assert abs(int(game.observations.view(seen)["node_gain"].max())) <= 13
