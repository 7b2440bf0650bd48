"""A whole game of each, from the lobby to the result, by touching what a player would touch."""

from __future__ import annotations

import random

import pytest

import polytrix
from polytrix.core.game import Game

from .conftest import Open

SEEDS = {"quatrix": 3, "resistor": 11, "estimatrix": 3, "pixel_tactics": 3, "pressure_matrix": 21}
"""Short games. That of Quatrix is not so short, so it is slow; `test_choosing.py` touches its board too."""
GAMES = [
    pytest.param(game, marks=[pytest.mark.slow] * (game.name == "quatrix"), id=game.title)
    for game in polytrix.all_games()  # by title, since names choose a worker
]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(game: Game, address: str, window: Open) -> None:
    assert game.touch is not None
    player = window()
    player.sit_down(address, game.name, SEEDS[game.name])
    assert player.page.inner_text("#title") == game.title
    player.play_on(random.Random(1))
    assert player.page.inner_text("#status").startswith("The game is over")
    assert player.page.locator("#end button").all_inner_texts() == ["New game", "Save the game"]
    with player.page.expect_download() as saved:
        player.page.click("text=Save the game")
    assert saved.value.suggested_filename == f"{game.name}-{SEEDS[game.name]}.json"
