"""The registered games, and the mark of tests that each of them has to pass."""

import pytest

from polytrix import all_games

GAMES = [game.name for game in all_games()]
"""Their names."""

every_game = pytest.mark.parametrize("game", all_games(), ids=GAMES)
