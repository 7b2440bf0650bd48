"""What a prompt or a notebook shows of an object: one short line that names it."""

from __future__ import annotations

import pickle
from copy import deepcopy

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict
from gymnasium.vector.utils import batch_space

import polytrix
from polytrix.agents import HeuristicPolicy, RandomPolicy, SearchPolicy
from polytrix.api.aec import AECGame
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


@every_game
def test_spaces_show_the_range_of_their_bounds_and_stay_boxes(game: Game) -> None:
    env = gymnasium.make(game.id)
    envs = gymnasium.make_vec(game.id, num_envs=2)
    aec = AECGame(game)
    low, high = game.observations.low, game.observations.high
    plain = Box(low, high, dtype=np.int8)
    space = env.observation_space
    assert type(space) is Box and space == plain and plain == space
    assert envs.observation_space == batch_space(plain, 2) and type(envs.observation_space) is Box
    for copied in (pickle.loads(pickle.dumps(space)), deepcopy(space)):
        assert copied == plain and repr(copied) == repr(space)
    for shown in (space, envs.observation_space, envs.single_observation_space, aec.state_space):
        assert len(repr(shown)) <= WIDTH and "\n" not in repr(shown)
        assert f"..{high.max()}, (" in repr(shown)
    seen = aec.observation_space("player_0")
    assert isinstance(seen, Dict) and len(repr(seen)) <= WIDTH
    for made in (env.unwrapped, envs, aec):
        assert game.id in repr(made) and " at 0x" not in repr(made)
