"""Pixel Tactics: two units of a leader and heroes on 3 x 3 slots, from equal decks of 25 cards."""

from polytrix.core.game import Game

from .cards.cards import TYPES
from .reading import task

GAME = Game.of(
    __name__,
    title="Pixel Tactics",
    seats=("south", "north"),
    difficulty=3,
    minutes=30,
    max_chance=TYPES,
    playout=30,
    spectators=True,
    task=task,
)
