"""Faces: drawing unseen ones, laying them, turning tiles over (PM-44 to PM-47, PM-93), exchanging tiles."""

from __future__ import annotations

from polytrix.core.state import CHANCE

from .effects import CONDITIONS
from .markers import clear_blackouts, exchange_nodes, exchanged, markers_home
from .matrix import HALF, SHIFT, TILE, size
from .state import HALF_FACES, Phase, State
from .tiles import FACE_CONTROL


def unseen_faces(s: State) -> int:
    """How many faces a draw can bring."""
    return size(int(s.unseen[0])) + size(int(s.unseen[1]))


def take_unseen(s: State, outcome: int) -> int:
    """Take an unseen face by its number among the unseen ones, and mark it as seen."""
    for half in range(2):
        left = int(s.unseen[half])
        here = size(left)
        if outcome < here:
            for _ in range(outcome):
                left &= left - 1
            chosen = left & -left
            s.unseen[half] ^= chosen
            return HALF_FACES * half + size(chosen - 1)
        outcome -= here
    return -1  # not reached: there are more unseen faces than outcomes


def lay_face(s: State, square: int, face: int) -> None:
    """A face is up on a square from now on."""
    half, shift = int(HALF[square]), int(SHIFT[square])
    tile = TILE << shift
    for condition in range(CONDITIONS):
        others = int(s.control[condition, half]) & ~tile
        s.control[condition, half] = others | int(FACE_CONTROL[face, condition]) << shift
    s.up[square] = face


def turn_over(s: State, square: int, afterwards: int) -> None:
    """The tile is cleared and turned; an unknown reverse is drawn first."""
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


def exchange_tiles(s: State, one: int, other: int) -> None:
    """PM-54, PM-84: two tiles change squares with all that is on them."""
    one_up, one_reverse = int(s.up[one]), int(s.reverse[one])
    lay_face(s, one, int(s.up[other]))
    lay_face(s, other, one_up)
    s.reverse[one] = s.reverse[other]
    s.reverse[other] = one_reverse
    exchange_nodes(s.black, one, other)
    s.full = exchanged(int(s.full), one, other)
    s.occupied = exchanged(int(s.occupied), one, other)
    for seat in range(s.num_players):
        exchange_nodes(s.marker[seat], one, other)
        here = int(s.runner[seat])
        if here == one:
            s.runner[seat] = other
        elif here == other:
            s.runner[seat] = one
