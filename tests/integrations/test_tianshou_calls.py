"""Bad calls of the API for Tianshou, as in `tests/shared/test_bad_calls.py`."""

from __future__ import annotations

import pytest

pytest.importorskip("tianshou", reason="needs the extra tianshou: make test-integrations")

import polytrix
from polytrix.core.game import Game
from tests.fuzz.library_targets import TianshouTarget
from tests.shared.bad_calls import all_refused, only_while_open

every_game = pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)


@every_game
def test_bad_calls_are_refused_and_change_nothing(game: Game) -> None:
    assert all_refused(TianshouTarget, game) > 50


@every_game
def test_a_step_before_reset_and_after_close(game: Game) -> None:
    only_while_open(TianshouTarget, game)
