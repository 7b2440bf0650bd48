"""Points at the end of a turn, the ends of the game, payoffs and the potential."""

from __future__ import annotations

from polytrix.core.state import OVER, FloatArray

from .connections import gap, points
from .deck import Seat
from .state import DRAWN_GAME, Level, Phase, Reason, State


def score(s: State) -> None:
    """Count both players' points on the same row; who scores against DEFCON 4 wins (RS-41, RS-44, RS-45)."""
    attack(s, points(s, Seat.RED), points(s, Seat.BLUE))


def attack(s: State, red: int, blue: int) -> None:
    """Give Red and Blue these points at once, each against the other's level."""
    red_hits = int(s.defcon[Seat.BLUE]) + red > Level.HIGHEST
    blue_hits = int(s.defcon[Seat.RED]) + blue > Level.HIGHEST
    s.defcon[Seat.BLUE] = min(Level.HIGHEST, int(s.defcon[Seat.BLUE]) + red)
    s.defcon[Seat.RED] = min(Level.HIGHEST, int(s.defcon[Seat.RED]) + blue)
    if red_hits and blue_hits:
        end(s, DRAWN_GAME, Reason.HIT)
    elif red_hits:
        end(s, Seat.RED, Reason.HIT)
    elif blue_hits:
        end(s, Seat.BLUE, Reason.HIT)


def finish(s: State, reason: int) -> None:
    """Make the last check; then the lower level wins (RS-46)."""
    score(s)
    if s.mover == OVER:
        return
    if s.defcon[Seat.RED] == s.defcon[Seat.BLUE]:
        end(s, DRAWN_GAME, reason)
    else:
        end(s, Seat.RED if s.defcon[Seat.RED] < s.defcon[Seat.BLUE] else Seat.BLUE, reason)


def end(s: State, winner: int, reason: int) -> None:
    """End the game."""
    s.winner = winner
    s.reason = reason
    s.phase = Phase.OVER
    s.mover = OVER


def is_hit_out(s: State, seat: int) -> bool:
    """Whether a hit at the highest level has ended the game for a seat; in a draw both are hit (RS-45)."""
    return s.mover == OVER and s.reason == Reason.HIT and s.winner != seat


def payoff(s: State, out: FloatArray) -> None:
    """1 for the winner, -1 for the loser; 0 for both in a draw or a truncated game."""
    if s.winner == Seat.RED or s.winner == Seat.BLUE:
        out[s.winner] = 1.0
        out[1 - s.winner] = -1.0


def potential(s: State, seat: int) -> float:
    """The lead over the enemy, in levels and in gaps."""
    enemy = 1 - seat
    levels = int(s.defcon[enemy]) - int(s.defcon[seat])
    return levels / 6.0 + (gap(s, enemy) - gap(s, seat)) / 42.0
