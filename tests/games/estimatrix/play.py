"""Games played by hand: tests choose actions and chance outcomes. In plain Python or compiled."""

from __future__ import annotations

from functools import partial

from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.lexicon import WORD
from tests.games import by_hand

new_game = partial(by_hand.new_game, GAME)
go = partial(by_hand.go, GAME)
dealt = partial(by_hand.dealt, GAME)
observed = partial(by_hand.observed, GAME)


def word(name: str) -> int:
    """The number of a word of the shipped lexicon."""
    return WORD.tolist().index(name)
