"""RESISTOR_: two supercomputers hack each other along a row of double-sided circuits."""

from polytrix.core.game import Game

from . import data, deck

GAME = Game.of(
    __name__,
    title="RESISTOR_",
    seats=("red", "blue"),
    difficulty=2,
    minutes=15,
    max_chance=4 * deck.CARDS,
    spectators=True,
    data=(data.DECK,),
    variants={"micro": {"deck": "micro", "max_decisions": 3}},
)
