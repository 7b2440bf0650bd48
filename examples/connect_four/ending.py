"""How the game ends: four in a row, and the payoffs."""

from __future__ import annotations

from polytrix.core.state import FloatArray

from .state import NO_SEAT, State, Step


def has_four(stones: int) -> bool:
    """CF-04: four in a row upright, level, or along either diagonal."""
    return (
        line(stones, Step.UP)
        or line(stones, Step.RIGHT)
        or line(stones, Step.UP_LEFT)
        or line(stones, Step.UP_RIGHT)
    )


def line(stones: int, step: int) -> bool:
    """Whether four stones stand in a row, each one `step` from the one before."""
    pairs = stones & stones >> step
    return (pairs & pairs >> 2 * step) != 0


def payoff(s: State, out: FloatArray) -> None:
    """CF-06: the winner gets 1, the loser -1; a draw or a truncated game pays 0 to both."""
    if s.winner != NO_SEAT:
        out[s.winner] = 1
        out[1 - s.winner] = -1
