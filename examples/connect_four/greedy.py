"""The built-in opponent: it wins or blocks if it can, gives nothing away, and prefers the middle."""

from __future__ import annotations

from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .rules import has_four, landing
from .state import BIT, COLUMNS, SQUARES, Obs


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate the columns by what an own stone there does, and an enemy stone there or above it would do."""
    own, enemy = stones(observation, Obs.OWN), stones(observation, Obs.ENEMY)
    for i in range(count):
        column = int(ids[i])
        square = landing(own | enemy, column)
        above = landing(own | enemy | square, column)
        score[i] = -abs(column - COLUMNS // 2)
        if has_four(own | square):
            score[i] += 1000
        if has_four(enemy | square):
            score[i] += 100
        if has_four(enemy | above):
            score[i] -= 10


def stones(observation: ByteArray, offset: int) -> int:
    """A block of the observation as a set of squares."""
    found = 0
    for square in range(SQUARES):
        found |= int(observation[offset + square]) << int(BIT[square])
    return found
