"""Pressure Matrix: two to five runners of a game show, on a square of two-sided tiles."""

from polytrix.core.game import Game

from . import state, tiles

GAME = Game.of(
    __name__,
    title="Pressure Matrix",
    difficulty=3,
    minutes=20,
    seats=state.SEAT_NAMES,
    max_chance=state.FACES,
    spectators=True,
    data=(tiles.TILE_FILE,),
    variants={"micro": {"tiles": "micro"}},
)
