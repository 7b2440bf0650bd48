"""PM-44 to PM-47, PM-93: turning a tile over."""

from __future__ import annotations

from polytrix.core.state import CHANCE

from .markers import clear_blackouts, lay_face, markers_home
from .opening import take_unseen
from .state import REVERSE, State


def turn_over(s: State, square: int, afterwards: int) -> None:
    """The tile is cleared and turned; an unknown reverse is drawn first."""
    clear_blackouts(s, square)
    markers_home(s, square)
    if s.reverse[square] < 0:
        s.turning = square
        s.resume = afterwards
        s.phase = REVERSE
        s.mover = CHANCE
    else:
        exchange_sides(s, square)
        s.phase = afterwards


def draw_reverse(s: State, outcome: int) -> None:
    """PM-93: a face not seen yet, which belongs to the tile from now on."""
    square = int(s.turning)
    s.reverse[square] = take_unseen(s, outcome)
    exchange_sides(s, square)
    s.turning = -1
    s.phase = s.resume


def exchange_sides(s: State, square: int) -> None:
    """The other side is up."""
    face = int(s.up[square])
    lay_face(s, square, int(s.reverse[square]))
    s.reverse[square] = face
