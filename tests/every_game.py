"""The mark of tests that every registered game has to pass."""

import pytest

from polytrix import all_games

every_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
