"""PT-110: what a game pays."""

from __future__ import annotations

from polytrix.core.state import FloatArray

from .flow.matches import trophies_needed
from .state import LEADER_SLOT, Payoff, State
from .table.passives import life


def pay_out(s: State, out: FloatArray) -> None:
    """1 to the winner, or the lead in trophies by the trophies needed; 0 in a game that is cut off."""
    lead = int(s.trophies[0]) - int(s.trophies[1])
    if s.truncated or lead == 0:
        return
    if s.options.payoff == Payoff.TROPHIES:
        out[0] = lead / trophies_needed(s)
    else:
        out[0] = 1.0 if lead > 0 else -1.0
    out[1] = -out[0]


def potential(s: State, seat: int) -> float:
    """Half of what the own leader has left of its life, less the same of the opposing one."""
    if not s.revealed:
        return 0.0
    return (leader_left(s, seat) - leader_left(s, 1 - seat)) / 2.0


def leader_left(s: State, u: int) -> float:
    """The part of a leader's life that is left."""
    return max(0.0, 1.0 - int(s.damage[u, LEADER_SLOT]) / int(life(s, u, LEADER_SLOT)))
