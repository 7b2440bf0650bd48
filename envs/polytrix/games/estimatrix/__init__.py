"""Estimatrix Spectrum: three to six players collect the letters of MATRIX by hinting at colours."""

from polytrix.core.game import Game

from . import lexicon, state

GAME = Game.of(
    __name__,
    title="Estimatrix Spectrum",
    difficulty=2,
    minutes=20,
    seats=tuple(state.LETTERS),
    max_chance=max(state.SEATS, state.COLOUR_COUNT),
    spectators=True,
    data=(lexicon.LEXICON_FILE,),
    variants={"micro": {"players": 3, "hints": "none", "ban": "rolled", "max_turns": 1}},
)
