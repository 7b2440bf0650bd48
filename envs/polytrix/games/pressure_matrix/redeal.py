"""Redealing what a seat cannot know: the bids of the others, until all have bid."""

from __future__ import annotations

from polytrix.core.random import draw

from .opening import bids_revealed
from .state import Act, State
from .tiles import SETTINGS, Setting


def redeal(s: State, seat: int) -> None:
    """PM-06, PM-90: until all have bid, draw the bids of the others again."""
    if bids_revealed(s):
        return
    for other in range(s.num_players):
        if other != seat and s.bid[other] >= 0:
            s.bid[other] = draw(s.generator, int(SETTINGS[Setting.BID]) + 1)


def hidden_action(s: State, seat: int) -> int:
    """PM-06: the seat's bid, until all have bid; or -1."""
    return -1 if s.bid[seat] < 0 or bids_revealed(s) else Act.BID + int(s.bid[seat])


def set_hidden_action(s: State, seat: int, action: int) -> None:
    """Let the seat have made another bid."""
    bid = action - Act.BID
    if hidden_action(s, seat) >= 0 and 0 <= bid <= SETTINGS[Setting.BID]:
        s.bid[seat] = bid
