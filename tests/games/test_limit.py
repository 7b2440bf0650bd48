"""The limit of decisions, in every game."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.drivers import GREEDY
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from tests.every_game import every_game


@pytest.mark.clause("ES-45", "PM-91", "QX-86")
@every_game
@pytest.mark.parametrize("limit", [1, 5, 12])
def test_a_game_is_cut_off_where_the_next_decision_would_be_asked(game: Game, limit: int) -> None:
    """Up to there it is the whole game: what follows the last decision without a choice still happens."""
    cut, whole = Simulator(game, 50, {"max_decisions": limit}, seed=7), Simulator(game, 50, seed=7)
    for _ in range(limit):
        assert not cut.over.any()
        actions = whole.random_actions()
        cut.step(actions)
        whole.step(actions)
    assert cut.over.all() and (cut.truncated != whole.over).all()
    for name in game.state.names or ():
        if name not in ("options", "mover", "truncated"):
            assert cut.states[name].tobytes() == whole.states[name].tobytes(), name


@pytest.mark.clause("PM-91", "QX-86", "RS-49")
@every_game
def test_a_result_with_the_last_decision_counts(game: Game) -> None:
    """The limit is as many decisions as games of greedy players have, or one fewer."""

    def played(limit: int) -> Simulator:
        simulator = Simulator(game, 20, {"max_decisions": limit}, seed=3)
        simulator.policy[:] = GREEDY
        simulator.seed(3)
        return simulator

    whole = played(2000)
    row = int(np.flatnonzero(whole.terminated)[0])
    decisions = int(whole.states["decisions"][row])
    just, fewer = played(decisions), played(decisions - 1)
    assert just.terminated[row] and (just.reward[row] == whole.reward[row]).all()
    assert fewer.truncated[row] and fewer.states["decisions"][row] == decisions - 1
