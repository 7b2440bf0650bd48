"""Faces of tiles: drawing, laying, turning over (PM-44 to PM-47, PM-93) and exchanging them."""

from __future__ import annotations

from polytrix.core.bits import exchanged, nth, size
from polytrix.core.state import CHANCE

from .effects import CONDITIONS
from .markers import clear_blackouts, exchange_nodes, markers_home
from .matrix import HALF, SHIFT, TILE
from .state import HALF_FACES, Phase, State
from .tiles import FACE_CONTROL


def unseen_faces(s: State) -> int:
    """The number of faces that may be drawn."""
    return size(int(s.unseen[0])) + size(int(s.unseen[1]))


def take_unseen(s: State, outcome: int) -> int:
    """Remove an unseen face, given by its index among the unseen ones, and return it."""
    for half in range(2):
        left = int(s.unseen[half])
        here = size(left)
        if outcome < here:
            face = nth(left, outcome)
            s.unseen[half] ^= 1 << face
            return HALF_FACES * half + face
        outcome -= here
    return -1  # not reached: there are more unseen faces than outcomes


def lay_face(s: State, square: int, face: int) -> None:
    """Put a face up on a square."""
    half, shift = int(HALF[square]), int(SHIFT[square])
    tile = TILE << shift
    for condition in range(CONDITIONS):
        others = int(s.control[condition, half]) & ~tile
        s.control[condition, half] = others | int(FACE_CONTROL[face, condition]) << shift
    s.up[square] = face


def turn_over(s: State, square: int, afterwards: int) -> None:
    """Clear a tile and turn it over; an unknown reverse is drawn first."""
    clear_blackouts(s, square)
    markers_home(s, square)
    if s.reverse[square] < 0:
        s.turning = square
        s.resume = afterwards
        s.phase = Phase.REVERSE
        s.mover = CHANCE
    else:
        exchange_sides(s, square)
        s.phase = afterwards


def draw_reverse(s: State, outcome: int) -> None:
    """PM-93: a face not seen before becomes the other side of the tile for good."""
    square = s.turning
    s.reverse[square] = take_unseen(s, outcome)
    exchange_sides(s, square)
    s.turning = -1
    s.phase = s.resume


def exchange_sides(s: State, square: int) -> None:
    """Turn the other side up."""
    face = int(s.up[square])
    lay_face(s, square, int(s.reverse[square]))
    s.reverse[square] = face


def exchange_tiles(s: State, one: int, other: int) -> None:
    """PM-54, PM-84: two tiles change places with everything on them."""
    one_up, one_reverse = int(s.up[one]), int(s.reverse[one])
    lay_face(s, one, int(s.up[other]))
    lay_face(s, other, one_up)
    s.reverse[one] = s.reverse[other]
    s.reverse[other] = one_reverse
    exchange_nodes(s.black, one, other)
    s.full = exchanged(s.full, one, other)
    s.occupied = exchanged(s.occupied, one, other)
    for seat in range(s.num_players):
        exchange_nodes(s.marker[seat], one, other)
        here = int(s.runner[seat])
        if here == one:
            s.runner[seat] = other
        elif here == other:
            s.runner[seat] = one
