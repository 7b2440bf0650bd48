"""Quatrix: a race for two on 11 x 7 squares, with pips that come apart to move."""

from polytrix.core.game import Game

GAME = Game.of(
    __name__,
    title="Quatrix",
    seats=("red", "blue"),
    difficulty=1,
    minutes=20,
    max_chance=6,
    playout=4,
)
