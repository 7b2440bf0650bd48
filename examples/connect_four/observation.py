"""What a seat observes."""

from __future__ import annotations

from polytrix.core.state import ByteArray

from .state import BIT, SQUARES, Obs, State


def observe(s: State, seat: int, out: ByteArray) -> None:
    """The whole board, the stones of `seat` first."""
    own, enemy = s.stones[seat], s.stones[1 - seat]
    for square in range(SQUARES):
        out[Obs.OWN + square] = own >> BIT[square] & 1
        out[Obs.ENEMY + square] = enemy >> BIT[square] & 1
