"""Points at the end of a turn, and the ends of the game."""

from __future__ import annotations

from polytrix.core.state import OVER

from .connections import points
from .deck import BLUE, RED
from .state import DRAWN_GAME, FINISHED, HIGHEST, HIT, State


def score(s: State) -> None:
    """Count both players' points on the same row; who scores against DEFCON 4 wins (RS-41, RS-44, RS-45)."""
    attack(s, points(s, RED), points(s, BLUE))


def attack(s: State, red: int, blue: int) -> None:
    """So many points for Red and for Blue at once, each against the other's level."""
    red_hits = int(s.defcon[BLUE]) + red > HIGHEST
    blue_hits = int(s.defcon[RED]) + blue > HIGHEST
    s.defcon[BLUE] = min(HIGHEST, int(s.defcon[BLUE]) + red)
    s.defcon[RED] = min(HIGHEST, int(s.defcon[RED]) + blue)
    if red_hits and blue_hits:
        end(s, DRAWN_GAME, HIT)
    elif red_hits:
        end(s, RED, HIT)
    elif blue_hits:
        end(s, BLUE, HIT)


def finish(s: State, reason: int) -> None:
    """The last check, then the lower level wins (RS-46)."""
    score(s)
    if s.mover == OVER:
        return
    if s.defcon[RED] == s.defcon[BLUE]:
        end(s, DRAWN_GAME, reason)
    else:
        end(s, RED if s.defcon[RED] < s.defcon[BLUE] else BLUE, reason)


def end(s: State, winner: int, reason: int) -> None:
    """The game is over."""
    s.winner = winner
    s.reason = reason
    s.phase = FINISHED
    s.mover = OVER
