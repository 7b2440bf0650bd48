"""What a prompt or a notebook shows of an object: one short line that names it."""

from __future__ import annotations

import pytest

import polytrix
from polytrix.agents import HeuristicPolicy, RandomPolicy, SearchPolicy
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.transcript import Transcript

WIDTH = 120

every_game = pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)


@every_game
def test_everything_of_a_game_is_shown_in_a_line(game: Game) -> None:
    simulator = polytrix.Simulator(game, 3, mode=Mode.PLAIN)
    policies = (RandomPolicy(game), HeuristicPolicy(game), SearchPolicy(game, mode=Mode.PLAIN))
    drawing = game.draw(simulator.states[0], 0)
    seed = Transcript(game.id, game.options.defaults, 7, tuple(range(500)))
    for thing in (game, game.observations, game.actions, simulator, *policies, drawing, seed):
        shown = repr(thing)
        assert len(shown) <= WIDTH and "\n" not in shown and " at 0x" not in shown
        assert shown.startswith(f"{type(thing).__name__}("), shown
    for thing in (game, simulator, *policies, seed):
        assert game.id in repr(thing)
