"""Two symmetries of the game: left and right, and the two colours."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import Record
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board

from .play import set_board
from .random_positions import decisions, seen_from

SQUARES = np.arange(77).reshape(11, 7)
SIDES = np.array([0, 1, 3, 2])  # left and right change places


@pytest.fixture(scope="module")
def played() -> Simulator:
    return decisions(np.random.default_rng(5), 1500)


def actions_mirrored() -> np.ndarray:
    """For each action the one that it is in the left-right mirror."""
    layout = GAME.actions.view(np.arange(GAME.actions.size))
    move = layout["move"].reshape(2, 10, 7, 4)[:, :, ::-1][..., SIDES]
    pip = layout["pip"].reshape(10, 7, 4)[:, ::-1][..., SIDES]
    return np.concatenate([move.ravel(), pip.ravel(), layout["place"][::-1], layout["pass"]])


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


def changed(simulator: Simulator, how) -> Simulator:
    """The same games with every state changed."""
    other = Simulator(GAME, simulator.num_envs, seed=0)
    other.states[:] = simulator.states
    for s in other.states:
        how(s)
    other.refresh()
    return other


@pytest.mark.clause("QX-10")
def test_left_and_right(played: Simulator) -> None:
    other = changed(played, mirror)
    assert (other.mask == played.mask[:, actions_mirrored()]).all()
    seen, mirrored = GAME.observations.view(played.observation), GAME.observations.view(other.observation)
    for name in seen:
        expected = seen[name]
        if expected.shape[1:] == (11, 7):
            expected = expected[:, :, ::-1]
        elif name == "moved_direction":
            expected = expected[:, SIDES]
        assert (mirrored[name] == expected).all(), name


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
