"""PT-110: what a game pays."""

from __future__ import annotations

from polytrix.core.state import FloatArray

from .matches import trophies_needed
from .state import BY_TROPHIES, State


def pay_out(s: State, out: FloatArray) -> None:
    """1 to the winner, or the lead in trophies by the trophies needed; 0 in a game that is cut off."""
    lead = int(s.trophies[0]) - int(s.trophies[1])
    if s.truncated or lead == 0:
        return
    if s.options.payoff == BY_TROPHIES:
        out[0] = lead / trophies_needed(s)
    else:
        out[0] = 1.0 if lead > 0 else -1.0
    out[1] = -out[0]
