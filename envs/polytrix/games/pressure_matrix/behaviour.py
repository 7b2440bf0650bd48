"""How seats play: bids, tiles that they fill and rivals that these trap, and what is left at the end."""

from __future__ import annotations

from polytrix.core.behaviour import mean, note
from polytrix.core.bits import size
from polytrix.core.layout import Layout
from polytrix.core.state import OVER, IntArray

from .matrix import ADJACENT
from .opening import bids_revealed
from .state import Act, Phase, State, open_squares


class Behaviour(Layout):
    """What is counted of a seat. What follows a decision without another one belongs to it (PM-89)."""

    BID = mean("Credits bid for the first turn")
    OVERBID = mean("Credits by which its bid exceeds the next one, if it is the highest")
    FILLS = mean("squares that get a full tile by its decisions, in a game")
    TRAPS = mean("rivals to whom its decisions leave no open neighbouring square, in a game")
    CREDITS = mean("Credits at the end")
    MARKERS = mean("Control Markers in hand at the end")


def tally(before: State, action: int, s: State, out: IntArray) -> None:
    """Count a bid, what a decision does to the Matrix, and the end."""
    seat = before.mover
    if before.phase == Phase.BID:
        note(out, seat, Behaviour.BID, action - Act.BID)
        if bids_revealed(s):
            count_overbid(s, out)
    out[seat, Behaviour.FILLS] += size(s.full & ~before.full)
    for rival in range(s.num_players):
        if rival != seat:
            out[seat, Behaviour.TRAPS] += is_trapped(s, rival) and not is_trapped(before, rival)
    if s.mover == OVER:
        for each in range(s.num_players):
            note(out, each, Behaviour.FILLS, 0)
            note(out, each, Behaviour.TRAPS, 0)
            note(out, each, Behaviour.CREDITS, s.credits[each])
            note(out, each, Behaviour.MARKERS, s.hand[each])


def count_overbid(s: State, out: IntArray) -> None:
    """Compare the highest bid with the next one; of equal ones each exceeds by nothing (PM-08)."""
    for seat in range(s.num_players):
        others = 0
        for other in range(s.num_players):
            if other != seat:
                others = max(others, int(s.bid[other]))
        if s.bid[seat] >= others:
            note(out, seat, Behaviour.OVERBID, s.bid[seat] - others)


def is_trapped(s: State, seat: int) -> bool:
    """PM-20: a runner in the Matrix has no open neighbouring square."""
    here = int(s.runner[seat])
    return here >= 0 and int(ADJACENT[here]) & open_squares(s) == 0
