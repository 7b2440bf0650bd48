"""The invariants hold in play, and notice what breaks them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polytrix.core.drivers import GREEDY
from polytrix.core.simulator import Simulator
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board, set_board

from .positions import Position


@pytest.mark.clause("QX-04", "QX-05", "QX-12", "QX-64", "QX-80")
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_in_play(depth: int) -> None:
    """Random and greedy moves in turn: random ones alone hardly ever bring a pip home."""
    simulator = Simulator(GAME, 16, {"finish_depth": depth, "max_decisions": 300}, seed=4)
    simulator.policy[8:, 1] = GREEDY
    simulator.restart()
    for _ in range(60):
        for s in simulator.states:
            GAME.check(s)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions())
        assert (simulator.num_legal[~simulator.over] >= 1).all()


def test_in_finished_games() -> None:
    simulator = Simulator(GAME, 8, seed=6)
    simulator.policy[:] = GREEDY
    simulator.restart()
    for s in simulator.states:
        GAME.check(s)
    assert simulator.terminated.any()


def lose_a_piece(s: Any) -> None:
    units = board(s)
    units[0, 0] = 1
    set_board(s, units)


def enter_the_enemy_track(s: Any) -> None:
    units = board(s)
    units[0, 0], units[10, 3], units[5, 3] = 0, 3, units[10, 3]
    set_board(s, units)


def win_unnoticed(s: Any) -> None:
    units = board(s)
    units[9], units[0] = units[0].copy(), 0
    set_board(s, units)


def end_without_result(s: Any) -> None:
    s.mover = -2


def throw_a_seven(s: Any) -> None:
    s.dice[0] = 7


def forget_the_first_move(s: Any) -> None:
    s.used[0] = 1


def give_the_turn_away(s: Any) -> None:
    s.mover = 1


@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        (lose_a_piece, "QX-04"),
        (enter_the_enemy_track, "QX-12"),
        (win_unnoticed, "QX-80"),
        (end_without_result, "the game ends"),
        (throw_a_seven, "dice"),
        (forget_the_first_move, "first die move"),
        (give_the_turn_away, "mover 1"),
    ],
)
def test_what_is_broken_is_noticed(breaks: Callable[[Any], None], message: str) -> None:
    s = Position().roll("red 4-2").state
    GAME.check(s)
    breaks(s)
    with pytest.raises(AssertionError, match=message):
        GAME.check(s)
