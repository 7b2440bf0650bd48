"""PT-110: the payoff, and the potential for reward shaping."""

from __future__ import annotations

from polytrix.core.state import FloatArray

from .board.passives import life
from .flow.matches import trophies_needed
from .state import LEADER_SLOT, Payoff, State


def payoff(s: State, out: FloatArray) -> None:
    """Win: +1 and -1. Trophies: the lead in trophies divided by the trophies needed. Cut off: 0."""
    lead = int(s.trophies[0]) - int(s.trophies[1])
    if s.truncated or lead == 0:
        return
    if s.options.payoff == Payoff.TROPHIES:
        out[0] = lead / trophies_needed(s)
    else:
        out[0] = 1.0 if lead > 0 else -1.0
    out[1] = -out[0]


def potential(s: State, seat: int) -> float:
    """Half of the difference between the leaders' remaining lives, as fractions; 0 before the reveal."""
    if not s.revealed:
        return 0.0
    return (leader_left(s, seat) - leader_left(s, 1 - seat)) / 2.0


def leader_left(s: State, u: int) -> float:
    """Remaining life of a leader, as a fraction."""
    return max(0.0, 1.0 - int(s.damage[u, LEADER_SLOT]) / life(s, u, LEADER_SLOT))
