"""Redealing what a seat cannot know: the bids of the others, until all have bid."""

from __future__ import annotations

from polytrix.core.random import draw

from .opening import bids_revealed
from .state import HIGHEST_BID, State


def redeal(s: State, seat: int) -> None:
    """PM-06, PM-90: until all have bid, draw the bids of the others again."""
    if bids_revealed(s):
        return
    for other in range(s.num_players):
        if other != seat and s.bid[other] >= 0:
            s.bid[other] = draw(s.generator, HIGHEST_BID + 1)
