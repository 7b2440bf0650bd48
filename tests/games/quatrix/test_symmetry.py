"""Two symmetries of the game: left and right, and the two colours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import Record, RecordArray
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board
from tests.games.commuting import differences

from .play import set_board
from .random_positions import decisions, seen_from

SQUARES = np.arange(77).reshape(11, 7)
SIDES = np.array([0, 1, 3, 2])  # left and right change places


@pytest.fixture(scope="module")
def played() -> Simulator:
    return decisions(np.random.default_rng(5), 1500)


def mirror(s: Record) -> None:
    set_board(s, board(s)[:, ::-1])
    if s.first_kind:
        s.first_from = SQUARES[:, ::-1].flat[s.first_from]
        s.first_to = SQUARES[:, ::-1].flat[s.first_to]
        s.first_direction = SIDES[s.first_direction]


def swap_colours(s: Record) -> None:
    """Turn the board round and repaint every unit; the mover's own view stays what it was."""
    set_board(s, seen_from(1, board(s)))
    s.turn_seat = 1 - s.turn_seat
    s.mover = 1 - s.mover


def mirrored(states: RecordArray) -> RecordArray:
    others = states.copy()
    for s in others:
        mirror(s)
    return others


def changed(simulator: Simulator, how) -> Simulator:
    """The same games with every state changed."""
    other = Simulator(GAME, simulator.num_envs, seed=0)
    other.states[:] = simulator.states
    for s in other.states:
        how(s)
    other.refresh()
    return other


def found_by(declared: Game, played: Simulator) -> set[str]:
    """What of the positions and of the mirrored ones does not agree."""
    return differences(declared, np.ones(played.num_envs, int), played, changed(played, mirror), mirrored)


@pytest.mark.clause("QX-10")
def test_left_and_right(played: Simulator) -> None:
    assert len(GAME.symmetries) == 2 and found_by(GAME, played) == set()


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        ({"direction": range(4)}, {"observation", "mask", "state", "payoff"}),
        ({"source": range(70)}, {"mask", "state", "payoff"}),
        ({"row": range(11)[::-1]}, {"observation"}),
    ],
)
def test_a_wrong_permutation_is_noticed(wrong: dict[str, range], found: set[str], played: Simulator) -> None:
    assert found_by(replace(GAME, symmetries=({}, {**GAME.symmetries[1], **wrong})), played) == found


@pytest.mark.clause("QX-01", "QX-02", "QX-03")
def test_the_colours_are_alike(played: Simulator) -> None:
    other = changed(played, swap_colours)
    assert (other.mover == 1 - played.mover).all()
    assert (other.mask == played.mask).all()
    assert (other.observation == played.observation).all()
    watching = other.view(1 - other.mover)[0]
    assert (watching == played.view(1 - played.mover)[0]).all()


def test_the_positions_are_of_all_kinds(played: Simulator) -> None:
    states = played.states
    assert {(int(s.phase), bool(s.used.any())) for s in states} == {(2, False), (2, True), (3, True)}
    assert np.count_nonzero(states["phase"] == 3) > 15
