"""What the seats see, against the obvious model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.effects import CODES
from polytrix.games.pressure_matrix.state import Phase
from polytrix.games.pressure_matrix.tiles import NODES_BY_TEXT, parse_tiles

from .obvious import observation_of
from .play import bid, dealt
from .positions import Table
from .test_scattered import scatter


@pytest.mark.parametrize("steps", [30, pytest.param(90, marks=pytest.mark.slow)])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_in_games(players: int, steps: int) -> None:
    options = {"reverse": ("known", "drawn")[players % 2], "payoff": ("win", "margin")[players // 4]}
    simulator = Simulator(GAME, 6, {"players": players, "max_decisions": 150, **options}, seed=players)
    rng = np.random.default_rng(players)
    for step in range(steps):
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
        running = np.flatnonzero(~simulator.over)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions(running), running)


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
            s, seen = simulator.states[row], np.zeros(GAME.observations.size, np.int8)
            game.observe(s, seat, seen)
            wanted = observation_of(s, seat, faces[..., 0], faces[..., 1])
            assert (seen == wanted).all(), GAME.observations.describe(seen - wanted)


@pytest.mark.clause("PM-91")
@pytest.mark.parametrize(("limit", "tied"), [(1, [0, 0, 0]), (2, [1, 1, 0])])
def test_once_over_nobody_can_be_made_to_pay(limit: int, tied: list[int]) -> None:
    """Seats 0 and 1 have most; one decision is the node, the next would be who pays."""
    at = "n=3 at=pressure runners=a1,d1,d4 credits=9,9,5\na1: LEADER_PAYS 4 | PAY 1 | PAY 2 | PAY 3"
    table = Table(at, max_decisions=limit).play("node nw {6 1}")
    assert table.state.truncated == (limit == 1)
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(table.state, 0, out)
    assert GAME.observations.view(out)["tied"].tolist() == [*tied, 0, 0]


def test_bids_are_shown_once_all_are_made() -> None:
    s = bid(dealt(3), [1, 5, 2])
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(s, 2, out)
    assert GAME.observations.view(out)["bid"].tolist() == [3, 2, 6, 0, 0]


@pytest.mark.clause("PM-39")
def test_what_each_seat_may_still_be_given_is_shown_counted_from_the_viewer() -> None:
    at = "n=3 at=pressure runners=a1,d1,d4 credits=3,5,5\na1: GIVE_EACH 2 | PAY 1 | PAY 2 | PAY 3"
    table = Table(at).play("node nw; give +2").holds("0 DIVIDE: give +1, give +2")
    for seat, left in enumerate(([0, 2, 1, 0, 0], [2, 1, 0, 0, 0], [1, 0, 2, 0, 0])):
        out = np.zeros(GAME.observations.size, np.int8)
        GAME.observe(table.state, seat, out)
        assert GAME.observations.view(out)["left"].tolist() == left


@pytest.mark.clause("PM-73", "PM-75")
def test_a_toll_shows_no_effect_and_a_node_shows_its_own_while_seats_react_to_it() -> None:
    toll = Table(
        "n=2 runners=a1,c3\nb1: *TOLL 2 @1 | PAY 1 | WIN 2 | PAY 2\nc1: *SHIELD @0 | PAY 1 | PAY 2 | PAY 3"
    )
    toll.play("{1 1 2}; move b1; use b1.nw").holds("0 SHIELD: use c1.nw, pass")
    assert effects(toll) == []
    tax = Table(
        "n=2 at=pressure runners=a1,c3\na1: WIN 3 | PAY 1 | PAY 2 | PAY 3\nc1: *TAX @1 | PAY 1 | PAY 2 | PAY 3"
    )
    tax.play("node nw").holds("1 WINDOW: use c1.nw, pass")
    assert effects(tax) == ["WIN"]


def effects(table: Table) -> list[str]:
    """The codes of the block `effect`."""
    out = np.zeros(GAME.observations.size, np.int8)
    table.game.observe(table.state, 0, out)
    return [CODES[1 + int(number)] for number in np.flatnonzero(GAME.observations.view(out)["effect"])]
