"""Playing games by hand from the deal on, in plain Python; tests choose the chance outcomes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from polytrix.games.pressure_matrix import GAME
from tests.games import by_hand

new_game = partial(by_hand.new_game, GAME)
go = partial(by_hand.go, GAME)
dealt = partial(by_hand.dealt, GAME)
SIDES = {2: 3, 3: 4, 4: 4, 5: 5}
"""Of the Matrix, by the number of players."""


def bid(states: Any, bids: Iterable[int], *dice: int) -> Any:
    """Make all bids and roll the dice of the roll-off; return the state."""
    return go(states, *(f"bid {credits}" for credits in bids), *(pips - 1 for pips in dice))
