"""RESISTOR_: two supercomputers hack each other along a row of double-sided circuits."""

from polytrix.core.game import Game

from . import data, deck, observation, state

GAME = Game.of(
    __name__,
    title="RESISTOR_",
    seats=("red", "blue"),
    max_chance=4 * deck.CARDS,
    observations=observation.OBSERVATIONS,
    actions=state.ACTIONS,
    spectators=True,
    data=(data.DECK,),
    variants={"micro": {"deck": "micro", "max_decisions": 3}},
)
