"""What random play must reach: each kind of ending."""

from __future__ import annotations

from polytrix.core.constants import Constants
from polytrix.core.state import OVER, IntArray

from .ending import line
from .state import NO_SEAT, RED, State, Step

FEATURES = (
    "red wins",
    "yellow wins",
    "a draw",
    "an upright line",
    "a level line",
    "a line up to the left",
    "a line up to the right",
    "truncated",
)


class Feature(Constants):
    """The features by number, in the order of FEATURES."""

    RED_WINS, YELLOW_WINS, DRAW, UPRIGHT, LEVEL, UP_LEFT, UP_RIGHT, TRUNCATED = range(len(FEATURES))


def cover(before: State, s: State, seen: IntArray) -> None:
    """Count how the game has ended."""
    if s.mover != OVER:
        return
    if s.winner == NO_SEAT:
        seen[Feature.TRUNCATED if s.truncated else Feature.DRAW] += 1
        return
    stones = int(s.stones[s.winner])
    seen[Feature.RED_WINS if s.winner == RED else Feature.YELLOW_WINS] += 1
    seen[Feature.UPRIGHT] += line(stones, Step.UP)
    seen[Feature.LEVEL] += line(stones, Step.RIGHT)
    seen[Feature.UP_LEFT] += line(stones, Step.UP_LEFT)
    seen[Feature.UP_RIGHT] += line(stones, Step.UP_RIGHT)
