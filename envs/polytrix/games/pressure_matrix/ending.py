"""Scores, winners, payoffs and the potential (PM-85 to PM-88, PM-92)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polytrix.core.state import FloatArray

from .state import MOST_WON, Payoff, State


def score(s: State, seat: int) -> int:
    """PM-86: Credits and markers in hand."""
    return int(s.credits[seat]) + int(s.hand[seat])


def winners(s: State) -> int:
    """PM-87, PM-88: the seats with the highest score, and of those the most markers in hand; as bits."""
    best = -1
    seats = 0
    for seat in range(s.num_players):
        rank = score(s, seat) * 256 + int(s.hand[seat])
        if rank > best:
            best = rank
            seats = 0
        if rank == best:
            seats |= 1 << seat
    return seats


def payoff(s: State, out: FloatArray) -> None:
    """PM-92: payoffs sum to zero. PM-91: a game that is cut off is scored as it stands."""
    n = s.num_players
    if s.options.payoff == Payoff.MARGIN:
        total = 0
        for seat in range(n):
            total += score(s, seat)
        for seat in range(n):
            out[seat] = score(s, seat) - (total - score(s, seat)) / (n - 1.0)
        return
    best = winners(s)
    count = 0
    for seat in range(n):
        count += best >> seat & 1
    if count == n:
        return
    for seat in range(n):
        out[seat] = 1.0 / count if best >> seat & 1 else -1.0 / (n - count)


def payoff_limit(options: Mapping[str, Any]) -> float:
    """The largest absolute payoff; by margin, as if every decision brought `MOST_WON`."""
    return float(MOST_WON * (1 + options["max_decisions"])) if options["payoff"] == "margin" else 1.0


def potential(s: State, seat: int) -> float:
    """A twentieth of the difference between the seat's score and the mean score of the others."""
    n = s.num_players
    total = 0
    for other in range(n):
        total += score(s, other)
    own = score(s, seat)
    return 0.05 * (own - (total - own) / (n - 1.0))
