"""A symmetry of the game: left and right."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import RecordArray
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board
from tests.games.commuting import differences

from .play import set_board
from .random_positions import decisions

SQUARES = np.arange(77).reshape(11, 7)
SIDES = np.array([0, 1, 3, 2])  # left and right change places


@pytest.fixture(scope="module")
def played() -> Simulator:
    return decisions(np.random.default_rng(5), 1500)


def mirrored(states: RecordArray) -> RecordArray:
    others = states.copy()
    for s in others:
        set_board(s, board(s)[:, ::-1])
        if s.first_kind:
            s.first_from = SQUARES[:, ::-1].flat[s.first_from]
            s.first_to = SQUARES[:, ::-1].flat[s.first_to]
            s.first_direction = SIDES[s.first_direction]
    return others


def found_by(declared: Game, played: Simulator) -> set[str]:
    """What of the positions and of the mirrored ones does not agree."""
    other = Simulator(GAME, played.num_envs, seed=0)
    other.states[:] = mirrored(played.states)
    other.refresh()
    return differences(declared, np.ones(played.num_envs, int), played, other, mirrored)


@pytest.mark.clause("QX-10")
def test_left_and_right(played: Simulator) -> None:
    assert len(GAME.symmetries) == 2 and found_by(GAME, played) == set()


def test_the_positions_are_of_all_kinds(played: Simulator) -> None:
    states = played.states
    assert {(int(s.phase), bool(s.used.any())) for s in states} == {(2, False), (2, True), (3, True)}
    assert np.count_nonzero(states["phase"] == 3) > 15
