"""Winning, payoffs and the potential."""

from __future__ import annotations

from polytrix.core.bits import size
from polytrix.core.state import OVER, FloatArray

from .bitboard import FINISH, LAST_ROW, Half, row_of
from .state import PIECES, Phase, Scoring, Seat, State


def zone(s: State) -> int:
    """The own row on which the finish zone begins (QX-03)."""
    return LAST_ROW - int(s.options.finish_depth)


def pips_home(s: State, seat: int) -> int:
    """The number of a colour's pips in its finish zone."""
    finish = FINISH[s.options.finish_depth]
    near = s.ring[seat, Half.NEAR] & s.disc[seat, Half.NEAR] & finish[Half.NEAR]
    far = s.ring[seat, Half.FAR] & s.disc[seat, Half.FAR] & finish[Half.FAR]
    return size(int(near)) + size(int(far))


def win(s: State, seat: int) -> None:
    """End the game (QX-80)."""
    s.winner = seat
    s.phase = Phase.OVER
    s.mover = OVER


def odds(s: State) -> int:
    """The odds of a win, by the loser's rearmost piece (QX-83 to QX-85)."""
    loser = 1 - s.winner
    for row in range(1 + s.options.finish_depth):  # the start track and the winner's zone, in the loser's view
        if row_of(s.ring[loser], row) | row_of(s.disc[loser], row):
            return 3 if row == 0 else 2
    return 1


def payoff(s: State, out: FloatArray) -> None:
    """The winner gets what the loser pays; a truncated game pays nothing."""
    if s.winner == Seat.NOBODY:
        return
    stake = odds(s) / 3.0 if s.options.scoring == Scoring.ODDS else 1.0
    out[s.winner] = stake
    out[1 - s.winner] = -stake


def potential(s: State, seat: int) -> float:
    """The lead of a seat: (own advance - enemy advance) / (14 z)."""
    return (advance(s, seat) - advance(s, 1 - seat)) / (2.0 * PIECES * zone(s))


def advance(s: State, seat: int) -> int:
    """The sum of min(own row, z) over the pieces, z being `zone`; a popped ring counts 0."""
    total = 0
    for row in range(1, LAST_ROW):
        pieces = size(row_of(s.ring[seat], row)) + size(row_of(s.disc[seat], row))
        total += pieces * min(row, zone(s))
    return total
