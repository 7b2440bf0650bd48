"""The heuristic opponent: wins or blocks if it can, gives nothing away, and likes the middle."""

from __future__ import annotations

from polytrix.core.state import ByteArray, FloatArray, IdArray, RecordArray

from .rules import ENEMY, OWN, has_four, landing
from .state import BIT, COLUMNS, SQUARES


def greedy(observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Rate the columns by what the own stone there does, and an enemy stone there or on top of it would."""
    own, enemy = stones(observation, OWN), stones(observation, ENEMY)
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
    """A plane of the observation as a set."""
    found = 0
    for square in range(SQUARES):
        found |= int(observation[offset + square]) << int(BIT[square])
    return found
