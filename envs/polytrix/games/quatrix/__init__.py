"""Quatrix: a race for two on 11 x 7 squares, with pips that come apart to move."""

from polytrix.core.game import Game

from . import observation, state

GAME = Game.of(
    __name__,
    title="Quatrix",
    seats=("red", "blue"),
    max_chance=6,
    actions=state.ACTIONS,
    observations=observation.OBSERVATIONS,
    perfect_information=True,
    playout=4,
)
