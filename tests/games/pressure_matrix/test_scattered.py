"""Choices and sets in the record, in positions that are rare in play, against their plain definitions.

Most tiles are full or nearly so, markers are on any special nodes, and seats have few markers and Credits.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.pressure_matrix import GAME, markers, rules
from polytrix.games.pressure_matrix.choices import UNDECIDED
from polytrix.games.pressure_matrix.effects import CODES
from polytrix.games.pressure_matrix.matrix import MATRIX, PLACE_NAMES, node_name, square_name
from polytrix.games.pressure_matrix.state import Phase, put_runner
from polytrix.games.pressure_matrix.text import marker_on
from polytrix.games.pressure_matrix.tiles import FACE_CODE
from polytrix.testing import check_invariants

from .test_reach import obvious

GAMES, DECISIONS = 50, 6
SPECIAL = {"MOVE", "LEVEL", "JUMP", "HARVEST", "HACK", "THAW", "ESCAPE", "TOLL", "TAX", "SHIELD", "REBOOT"}
ALWAYS = {"MOVE", "LEVEL", "HARVEST", "HACK"}


def inside(s: Any) -> list[int]:
    """The squares of the Matrix."""
    return [square for square in range(25) if int(MATRIX[s.num_players]) >> square & 1]


def code(s: Any, node: int) -> str:
    return CODES[FACE_CODE[int(s.up[node // 4]), node % 4]]


def black(s: Any, square: int) -> list[int]:
    """The blacked out places of a tile, node by node."""
    return [
        p for p in range(4) if int(s.black[markers.node_half(4 * square)]) & markers.node_bit(4 * square + p)
    ]


def scatter(s: Any, rng: np.random.Generator) -> None:
    """Put a dealt game at the beginning of a turn or Pressure Phase, with everything else at random."""
    n, squares = s.num_players, inside(s)
    starts = rng.permutation(squares)[:n]
    for seat, square in enumerate(starts):
        put_runner(s, seat, int(square))
    fullness = rng.choice([0.3, 0.7, 0.9])
    for square in squares:
        for place in np.flatnonzero(rng.random(4) < fullness):
            markers.black_out(s, square, int(place))
    s.active, s.first, s.turns, s.bid[:n] = rng.integers(n), 0, 1, 0
    nodes = [4 * q + p for q in squares for p in range(4) if code(s, 4 * q + p) in SPECIAL]
    for node in rng.permutation(nodes)[: rng.integers(0, 4 * n)]:
        seat = int(rng.integers(n))
        if s.hand[seat] > 0:
            s.marker[seat, markers.node_half(node)] |= markers.node_bit(node)
            s.hand[seat] -= 1
    for seat in range(n):
        lost = rng.integers(0, int(s.hand[seat]) + 1)
        s.hand[seat] -= lost
        s.discarded[seat] += lost
    s.credits[:n] = rng.integers(0, 6, n)
    s.level = rng.integers(0, 3)
    active = int(s.runner[s.active])
    s.phase = Phase.PRESSURE if rng.random() < 0.5 and len(black(s, active)) < 4 else Phase.TURN
    rules.run(s, UNDECIDED)


def expected(s: Any) -> set[str]:
    """The mover's choices in notation, by the rules alone."""
    n, mover, phase = s.num_players, s.mover, Phase.names()[s.phase]
    squares = inside(s)
    open_squares = [q for q in squares if len(black(s, q)) < 4 and q not in s.runner[:n]]
    mine = [4 * q + p for q in squares for p in range(4) if marker_on(s, 4 * q + p) == mover]
    rivals = [4 * q + p for q in squares for p in range(4) if marker_on(s, 4 * q + p) not in (-1, mover)]

    def uses(codes: set[str], where: list[int] = squares) -> set[str]:
        return {f"use {node_name(v)}" for v in mine if code(s, v) in codes and v // 4 in where and v != s.just}

    here = int(s.runner[s.active])
    seats = range(1, n)
    if phase == "BEFORE_ROLL":
        frozen = s.hand[mover] == 0
        jump = {"JUMP"} if open_squares else set()
        return uses(ALWAYS | jump | ({"THAW"} if frozen else set())) | {"freeze" if frozen else "roll"}
    if phase == "WINDOW":
        name = ("", "TOLL", "TAX", "REBOOT")[s.window]
        return uses({name}, [here] if name == "TOLL" else squares) | {"pass"}
    if phase == "DISCARD":
        return {f"discard {node_name(v)}" for v in mine} | ({"discard hand"} if s.hand[mover] else set())
    if phase == "MOVE":
        places = {divmod(q, 5) for q in open_squares}
        ends = obvious(places, divmod(here, 5), s.movement)
        return {f"move {square_name(q)}" for q in squares if ends >> q & 1}
    chosen = {
        "FAIL": uses({"ESCAPE"}) | {"pass"},
        "SHIELD": uses({"SHIELD"}) | {"pass"},
        "NODE": {f"node {PLACE_NAMES[p]}" for p in range(4) if p not in black(s, here)},
        "RECLAIM": {f"reclaim {node_name(v)}" for v in mine},
        "RECALL": {"pass", "recall"},
        "DISCARD_RIVAL": {f"discard {node_name(v)}" for v in rivals},
        "FLIP": {f"flip {square_name(q)}" for q in squares if q not in s.runner[:n]},
        "INVERT": {f"invert {square_name(q)}" for q in squares if 0 < len(black(s, q)) < 4},
        "TELEPORT": {f"teleport {square_name(q)}" for q in open_squares},
        "SWAP": {f"swap {square_name(q)}" for q in squares if q != s.node_square},
        "RUNNER": {f"runner +{k}" for k in range(n)},
        "STEAL": {f"steal +{k}" for k in seats},
        "GIVE": {f"give +{k}" for k in seats},
        "DIVIDE": {f"give +{k}" for k in seats if s.left[(mover + k) % n]},
        "ORDER": {f"first +{k}" for k in seats if s.declared[(s.active + k) % n]},
        "PAYER": {f"payer +{k}" for k in range(n) if s.credits[(mover + k) % n] == max(s.credits[:n])},
    }
    return chosen[phase]


@pytest.mark.clause("PM-12", "PM-20", "PM-48", "PM-50", "PM-66", "PM-72", "PM-77")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_choices_and_sets_are_those_of_the_plain_definitions(players: int) -> None:
    rng = np.random.default_rng(players)
    simulator = Simulator(GAME, GAMES, {"players": players}, seed=players)
    seen: Counter[str] = Counter()
    for s in simulator.states:
        scatter(s, rng)
    states = simulator.states
    for _ in range(DECISIONS):
        for s in states:
            check_invariants(GAME, s)
            if s.mover >= 0:
                found = {GAME.format_action(s, action) for action in GAME.legal_ids(s)}
                assert found == expected(s), GAME.text(s, None)
                seen[Phase.names()[s.phase]] += 1
        simulator.refresh()
        running = np.flatnonzero(simulator.mover >= 0)
        simulator.step(simulator.random_actions(running), running)
    assert all(seen[phase] >= 5 for phase in ("BEFORE_ROLL", "NODE", "MOVE", "DISCARD")), seen
    assert len(seen) >= 8, seen
