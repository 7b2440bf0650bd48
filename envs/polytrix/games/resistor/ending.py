"""Points at the end of a turn, the ends of the game, payoffs and the potential."""

from __future__ import annotations

from polytrix.core.state import OVER, FloatArray

from .connections import gap, points
from .deck import BLUE, RED
from .state import DRAWN_GAME, Level, Phase, Reason, State


def score(s: State) -> None:
    """Count both players' points on the same row; who scores against DEFCON 4 wins (RS-41, RS-44, RS-45)."""
    attack(s, points(s, RED), points(s, BLUE))


def attack(s: State, red: int, blue: int) -> None:
    """Give Red and Blue these points at once, each against the other's level."""
    red_hits = int(s.defcon[BLUE]) + red > Level.HIGHEST
    blue_hits = int(s.defcon[RED]) + blue > Level.HIGHEST
    s.defcon[BLUE] = min(Level.HIGHEST, int(s.defcon[BLUE]) + red)
    s.defcon[RED] = min(Level.HIGHEST, int(s.defcon[RED]) + blue)
    if red_hits and blue_hits:
        end(s, DRAWN_GAME, Reason.HIT)
    elif red_hits:
        end(s, RED, Reason.HIT)
    elif blue_hits:
        end(s, BLUE, Reason.HIT)


def finish(s: State, reason: int) -> None:
    """Make the last check; then the lower level wins (RS-46)."""
    score(s)
    if s.mover == OVER:
        return
    if s.defcon[RED] == s.defcon[BLUE]:
        end(s, DRAWN_GAME, reason)
    else:
        end(s, RED if s.defcon[RED] < s.defcon[BLUE] else BLUE, reason)


def end(s: State, winner: int, reason: int) -> None:
    """End the game."""
    s.winner = winner
    s.reason = reason
    s.phase = Phase.OVER
    s.mover = OVER


def payoff(s: State, out: FloatArray) -> None:
    """1 for the winner, -1 for the loser; 0 for both in a draw or a truncated game."""
    if s.winner == RED or s.winner == BLUE:
        out[s.winner] = 1.0
        out[1 - int(s.winner)] = -1.0


def potential(s: State, seat: int) -> float:
    """The lead over the enemy, in levels and in gaps."""
    enemy = 1 - seat
    levels = int(s.defcon[enemy]) - int(s.defcon[seat])
    return levels / 6.0 + (gap(s, enemy) - gap(s, seat)) / 42.0
