"""PM-44 to PM-55: effects on tiles, runners and the Pressure Level."""

from __future__ import annotations

from .choices import offer_one_of
from .effects import Level, Which, WhoseRunner
from .faces import exchange_tiles, turn_over
from .markers import swap_blackouts
from .matrix import MATRIX, SQUARES, TILE
from .state import Act, Phase, State, blackouts, open_squares, put_runner


def flip(s: State, which: int) -> None:
    """PM-44: turn over a tile without a runner; PM-46: or this tile, whose runner stays."""
    if which == Which.HERE:
        turn_over(s, s.node_square, Phase.EFFECT)
    else:
        free = int(MATRIX[s.num_players]) & ~s.occupied
        offer_one_of(s, s.active, Phase.FLIP, Act.FLIP, free)


def invert(s: State, which: int) -> None:
    """PM-48: invert a tile with one, two or three blackouts; PM-49: not a tile just filled."""
    if which == Which.HERE:
        if s.filled == 0:
            swap_blackouts(s, s.node_square)
        return
    squares = 0
    for square in range(SQUARES):
        squares |= int(0 < blackouts(s, square) < TILE) << square
    if squares:
        offer_one_of(s, s.active, Phase.INVERT, Act.INVERT, squares)


def invert_tile(s: State, square: int) -> None:
    """Invert the chosen tile."""
    swap_blackouts(s, square)
    s.phase = Phase.EFFECT


def teleport(s: State, whose: int) -> None:
    """PM-50, PM-51: ask for a runner, then an open square; if no square is open, ask nothing."""
    if open_squares(s) == 0:
        return
    if whose == WhoseRunner.ANY:
        offer_one_of(s, s.active, Phase.RUNNER, Act.RUNNER, (1 << s.num_players) - 1)
    else:
        ask_where(s, s.active)


def ask_where(s: State, seat: int) -> None:
    """PM-50: ask for an open square."""
    s.teleported = seat
    offer_one_of(s, s.active, Phase.TELEPORT, Act.TELEPORT, open_squares(s))


def teleport_to(s: State, square: int) -> None:
    """PM-53: the active runner begins a new Pressure Phase there; PM-52: others do not."""
    put_runner(s, s.teleported, square)
    if s.teleported == s.active:
        s.again = 1
    s.teleported = -1
    s.phase = Phase.EFFECT


def swap(s: State) -> None:
    """PM-54: ask for another tile."""
    others = int(MATRIX[s.num_players]) & ~(1 << s.node_square)
    offer_one_of(s, s.active, Phase.SWAP, Act.SWAP, others)


def swap_with(s: State, square: int) -> None:
    """PM-54: exchange the tiles; the Pressure Phase goes with its tile."""
    exchange_tiles(s, s.node_square, square)
    s.node_square = square
    s.phase = Phase.EFFECT


def shift_level(s: State) -> None:
    """PM-25, PM-55: the level moves, between green and red."""
    s.level = min(Level.RED, max(Level.GREEN, s.level + s.amount))
