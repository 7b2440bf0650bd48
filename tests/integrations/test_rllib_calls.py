"""Bad calls of the API for RLlib, as in `tests/shared/test_bad_calls.py`."""

from __future__ import annotations

import pytest

pytest.importorskip("ray.rllib", reason="needs the extra rllib: make test-integrations")

import polytrix
from polytrix.api.rllib.env import MultiAgentGame
from polytrix.core.errors import IllegalActionError
from polytrix.core.game import Game
from tests.fuzz.library_targets import RLlibTarget
from tests.shared.bad_calls import all_refused, only_while_open

every_game = pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)


@every_game
def test_bad_calls_are_refused_and_change_nothing(game: Game) -> None:
    assert all_refused(RLlibTarget, game) > 50


@every_game
def test_a_step_before_reset_and_after_close(game: Game) -> None:
    only_while_open(RLlibTarget, game)


@every_game
def test_a_number_that_is_no_action_is_no_forfeit(game: Game) -> None:
    """As in PettingZoo: an illegal action ends the game, a mistake does not."""
    env = MultiAgentGame(game)
    seen, _ = env.reset(seed=1)
    (mover,) = seen
    before = env.record.tobytes()
    for number in (-1, game.actions.size, 10**9):
        with pytest.raises(IllegalActionError):
            env.step({mover: number})
    assert env.record.tobytes() == before and not env.payoffs


def test_a_runner_whose_seeds_would_be_too_large() -> None:
    env = MultiAgentGame("quatrix", runner=3)
    with pytest.raises(ValueError, match="allowed: a whole number from 0"):
        env.reset(seed=2**63 - 2**32)
