"""Games played by hand: tests choose actions and chance outcomes. In plain Python or compiled."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from polytrix.games.estimatrix import GAME
from polytrix.games.estimatrix.lexicon import WORD
from tests.games import by_hand

new_game = partial(by_hand.new_game, GAME)
go = partial(by_hand.go, GAME)
dealt = partial(by_hand.dealt, GAME)


def word(name: str) -> int:
    """The number of a word of the shipped lexicon."""
    return WORD.tolist().index(name)


def observed(s: Any, seat: int) -> np.ndarray:
    """A seat's observation, in plain Python."""
    out = np.zeros(GAME.observations.size, np.int8)
    GAME.observe(s, seat, out)
    return out
