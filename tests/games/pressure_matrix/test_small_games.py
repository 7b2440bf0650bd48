"""Smaller games, set in a tile file: Matrix, dice, bids and turns; tiles that are not dealt; lots."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.errors import DataError
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.matrix import node_name
from polytrix.games.pressure_matrix.state import Phase
from polytrix.games.pressure_matrix.tiles import MICRO_FILE, SOURCE
from polytrix.testing import check_no_leak, check_random_play
from tests.games import small_games
from tests.games.small_games import names, play

CONTENT = json.loads(MICRO_FILE.read_text(encoding="utf-8"))
SHIPPED = json.loads(SOURCE.read_text(encoding="utf-8"))


def content(**settings: int) -> dict[str, Any]:
    """The shipped tiles, for a game of another size."""
    return {"tiles": SHIPPED["tiles"], "game": settings}


def begun(tiles: dict[str, Any], seed: int = 0, **options: Any) -> Simulator:
    return small_games.begun(GAME, seed, tiles=tiles, **options)


@pytest.mark.clause("PM-09", "PM-94")
def test_the_matrix_of_two_players() -> None:
    """It has four starts; the centre is one with five players only."""
    for side in (2, 3, 4, 5):
        sim = begun(content(side=side))
        assert int((sim.states[0].up >= 0).sum()) == side**2
        play(sim, "bid 1", "bid 0")
        assert names(sim) == ["start nw", "start ne", "start sw", "start se"]
    assert int((begun(content(side=2), players=3).states[0].up >= 0).sum()) == 16


@pytest.mark.clause("PM-94")
def test_dice_and_bids() -> None:
    pips: set[int] = set()
    for seed in range(10):
        sim = begun(content(die=2, bid=1), seed)
        assert names(sim) == ["bid 0", "bid 1"]
        play(sim, "bid 1", "bid 0", "start nw", "start se")
        pips |= set(sim.states[0].dice.tolist())
    assert pips == {1, 2}


@pytest.mark.clause("PM-95")
@pytest.mark.parametrize("turns", [1, 2, 5])
def test_the_last_turn_ends_the_game(turns: int) -> None:
    for seed in range(5):
        sim = begun(content(turns=turns), seed)
        while sim.states[0].mover != OVER:
            sim.step(sim.random_actions())
        s = sim.states[0]
        assert s.turns <= turns and not s.truncated
        assert s.turns == turns or s.hand[s.active] == 0
        scores = (s.credits + s.hand)[:2]
        if scores[0] != scores[1]:
            assert sim.reward[0, :2].tolist() == ([1, -1] if scores[0] > scores[1] else [-1, 1])


@pytest.mark.clause("PM-96")
@pytest.mark.parametrize("reverse", ["known", "drawn"])
def test_stacked_tiles_lie_in_the_order_of_the_file(reverse: str) -> None:
    s = begun(content(stacked=1), reverse=reverse).states[0]
    squares = [5 * row + column for row in range(3) for column in range(3)]
    assert s.up[squares].tolist() == list(range(0, 18, 2))
    assert s.reverse[squares].tolist() == (list(range(1, 18, 2)) if reverse == "known" else [-1] * 9)
    unseen = int(s.unseen[0]).bit_count() + int(s.unseen[1]).bit_count()
    assert unseen == 100 - (18 if reverse == "known" else 9)


@pytest.mark.clause("PM-97")
def test_lots_decide_a_tie() -> None:
    first = {0: 0, 1: 0}
    for seed in range(30):
        sim = begun(content(lots=1), seed)
        play(sim, "bid 2", "bid 2")
        s = sim.states[0]
        first[s.first] += 1
        assert s.credits[s.first] == 8 and s.phase == Phase.PLACE
    assert min(first.values()) >= 8


@pytest.mark.clause("PM-97")
def test_a_lot_is_one_event_with_an_outcome_for_each_tied_seat() -> None:
    game, options = GAME.configured({"tiles": content(lots=1), "players": 3})
    states = Simulator(game, 1, options, mode=Mode.PLAIN).states
    s = states[0]
    for move in ("bid 0", "bid 3", "bid 3"):
        game.apply(s, game.parse_action(s, move))
    assert s.mover == CHANCE and game.chance(s) == 2
    assert [game.format_chance(s, outcome) for outcome in range(2)] == ["lot 1", "lot 2"]
    game.apply(s, 1)
    assert s.first == 2


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"rows": 3}, '"game" is .*; expected an object with some of side, die'),
        ({"side": 1}, "'side' is 1; allowed: a whole number from 2 to 5"),
        ({"die": 7}, "'die' is 7; allowed"),
        ({"lots": True}, "'lots' is True; allowed"),
    ],
)
def test_mistakes_in_settings(settings: dict[str, Any], found: str) -> None:
    with pytest.raises(DataError, match=found):
        GAME.with_data(tiles={"tiles": SHIPPED["tiles"], "game": settings})


def test_the_micro_game() -> None:
    game, options = GAME.configured(GAME.variants["micro"])
    assert check_no_leak(game, options, games=6, decisions=8, mode=Mode.PLAIN) > 0
    check_random_play(game, options, decisions=60, mode=Mode.PLAIN)
    sim = begun(CONTENT)
    play(sim, "bid 0", "bid 1")
    assert names(sim) == ["start nw", "start ne", "start sw", "start se"]
    s = sim.states[0]
    assert [node_name(4 * square) for square in np.flatnonzero(s.up >= 0).tolist()] == [
        "a1.nw",
        "b1.nw",
        "a2.nw",
        "b2.nw",
    ]
    assert sim.game.text(s, 0).splitlines()[0].startswith("-- a1 ")
    assert sim.game.draw(s, 0).svg()


def test_full_games_of_other_sizes() -> None:
    for settings in ({"side": 2}, {"side": 2, "lots": 1, "die": 3}, {"side": 5, "turns": 9}, {"stacked": 1}):
        game, options = GAME.configured({"tiles": content(**settings)})
        check_random_play(game, options, decisions=60, mode=Mode.PLAIN)
