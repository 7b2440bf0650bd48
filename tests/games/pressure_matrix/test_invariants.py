"""Each invariant notices the states that break it; that all hold in play, the shared tests show."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.state import Phase
from polytrix.testing import check_invariants
from tests.games.planted import broken, change

from .play import bid, dealt


@cache
def state() -> Any:
    """Before a move of three players, with markers in the Matrix."""
    simulator = Simulator(GAME, options={"players": 3}, seed=4)
    s = simulator.states[0]
    while not (s.turns > 20 and s.phase == Phase.MOVE and s.marker.any()):
        simulator.step(simulator.random_actions())
    check_invariants(GAME, s)
    return s


def share_a_node(s: Any) -> None:
    owner = next(seat for seat in range(3) if s.marker[seat].any())
    other = (owner + 1) % 3
    for name in ("marker", "hand", "discarded"):
        s[name][other] = s[name][owner]


def remove_a_tile(s: Any) -> None:
    half, face = divmod(int(s.up[0]), 50)
    s.unseen[half] |= 1 << face
    s.up[0] = -1


def play_out_of_turn(s: Any) -> None:
    s.active = s.mover = (s.active + 1) % 3


@pytest.mark.clause("PM-01", "PM-02", "PM-07", "PM-10", "PM-11", "PM-25", "PM-37", "PM-62", "PM-81")
@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        ({"hand": lambda hand: hand - 1}, "PM-02"),
        ({"credits": {3: 1}}, "PM-01"),
        (share_a_node, "PM-62"),
        ({"runner": lambda runner: [runner[1], *runner[1:]]}, "PM-81"),
        ({"black": {1: 1 << 47}}, "PM-31"),
        ({"up": lambda up: [up[1], *up[1:]]}, "PM-04"),
        (remove_a_tile, "PM-04"),
        ({"credits": {1: -1}}, "PM-37"),
        ({"credits": {1: 30_000}}, "PM-92"),
        ({"bid": {2: -1}}, "PM-06"),
        ({"bid": {0: 1, 1: 2, 2: 3}, "first": 0}, "PM-06"),
        ({"turns": lambda turns: turns + 2}, "PM-10"),
        (play_out_of_turn, "PM-10"),
        ({"choices": {0: 1}}, "PM-89"),
        ({"mover": CHANCE, "phase": Phase.EFFECT}, "PM-89"),
        ({"mover": OVER}, "PM-91"),
        ({"mover": OVER, "truncated": 1}, "PM-91"),
        ({"dice": {0: 7}}, "PM-14"),
        ({"movement": lambda movement: movement + 7}, "PM-14"),
        ({"thief": 1}, "PM-11"),
        ({"code": 1}, "PM-11"),
        ({"declared": {0: 1}}, "PM-11"),
        ({"left": {0: 1}}, "PM-11"),
        ({"tied": 3}, "PM-11"),
        ({"won": 1}, "PM-29"),
        ({"node_place": 0}, "PM-29"),
        ({"amount": 1}, "PM-29"),
        ({"victim": 0, "stake": 1}, "PM-29"),
        ({"phase": Phase.WINDOW, "declared": {3: 1}}, "PM-29"),
    ],
)
def test_what_is_broken_is_noticed(breaks: Any, message: str) -> None:
    s = state().copy()
    breaks(s) if callable(breaks) else change(s, breaks)
    assert message in broken(GAME, s, state())


@pytest.mark.parametrize(
    ("breaks", "message"),
    [({"active": 3}, "absent seats"), ({"bid": {0: 1, 1: 2, 2: 3}, "first": 0}, "PM-07")],
)
def test_what_is_broken_by_itself_is_noticed(breaks: dict[str, Any], message: str) -> None:
    """Not only against the state before."""
    s = state().copy()
    change(s, breaks)
    assert message in broken(GAME, s)


@pytest.mark.clause("PM-08")
@pytest.mark.parametrize("breaks", [{"tied": 0}, {"tied": 0b001}, {"tied": 0b101}, {"phase": Phase.REVERSE}])
def test_only_the_best_roll_off(breaks: dict[str, Any]) -> None:
    s = bid(dealt(players=3), [3, 3, 1])
    check_invariants(GAME, s)
    change(s, breaks)
    assert "PM-08" in broken(GAME, s)
