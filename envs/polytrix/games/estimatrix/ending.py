"""Winners, payoffs and the potential for reward shaping."""

from __future__ import annotations

from polytrix.core.state import FloatArray

from .exchange import received
from .state import State


def someone_has_completed(s: State) -> bool:
    """ES-38: some seat holds a letter of every other seat, which ends the game."""
    for seat in range(s.num_players):
        if received(s, seat) == s.num_players - 1:
            return True
    return False


def winners(s: State) -> int:
    """The winners of a finished game, one bit per seat; 0 in a draw.

    ES-39: all seats that have completed the word. ES-45: if the game was cut off, the seats with the most
    letters received; a draw if all have equally many.
    """
    most = s.num_players - 1
    if s.truncated:
        most = 0
        for seat in range(s.num_players):
            most = max(most, received(s, seat))
    best = 0
    for seat in range(s.num_players):
        if received(s, seat) == most:
            best |= 1 << seat
    return 0 if best == (1 << s.num_players) - 1 else best


def payoff(s: State, out: FloatArray) -> None:
    """ES-48: the winners split 1 equally, and the others pay it in equal parts."""
    best = winners(s)
    count = 0
    for seat in range(s.num_players):
        count += best >> seat & 1
    if count == 0:
        return
    for seat in range(s.num_players):
        if best >> seat & 1:
            out[seat] = 1.0 / count
        else:
            out[seat] = -1.0 / (s.num_players - count)


def potential(s: State, seat: int) -> float:
    """Half the lead in letters received over the others' mean, as a fraction of the largest lead."""
    n = s.num_players
    total = 0
    for other in range(n):
        total += received(s, other)
    own = received(s, seat)
    return 0.5 * (own - (total - own) / (n - 1.0)) / (n - 1.0)
