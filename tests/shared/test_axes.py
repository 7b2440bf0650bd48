"""What blocks say of their axes is true of observations."""

from __future__ import annotations

import numpy as np
import pytest

import polytrix
from polytrix.core.game import Game
from polytrix.core.options import Choice
from polytrix.core.simulator import Simulator

every_game = pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)


@every_game
def test_what_is_said_to_be_one_hot_is(game: Game) -> None:
    """In random play of games of all sizes, with the usual other options."""
    sizes = [each for each in game.options if isinstance(each, Choice) and each.name == "players"]
    players = [{"players": count} for each in sizes for count in each.values] or [{}]
    sim = Simulator(game, 48, [players[row % len(players)] for row in range(48)], seed=1)
    hot = {block.name: block for block in game.observations if block.one_hot}
    assert hot
    for _ in range(300):
        for name, seen in game.observations.view(sim.observation).items():
            if name in hot:
                together = seen.reshape(*seen.shape[: seen.ndim - hot[name].one_hot], -1)
                assert ((seen == 0) | (seen == 1)).all() and together.sum(axis=-1).max() <= 1, name
        sim.step(sim.random_actions())
        sim.restart(np.flatnonzero(sim.over))


@every_game
def test_an_axis_of_a_name_has_one_length(game: Game) -> None:
    found = {
        (name, int(length))
        for block in game.observations
        for name, length in zip(block.axes, block.shape, strict=True)
    }
    lengths = [name for name, _ in found if name]
    assert lengths and len(set(lengths)) == len(lengths)
