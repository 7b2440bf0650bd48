"""A policy with a memory, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from polytrix.core.game import Game
from polytrix.core.state import ByteArray, FloatArray, IntArray


class Elephant:
    """Counts its decisions in each seat of each game, and plays the legal action of this number, in rounds."""

    remembers = True

    def __init__(self, game: Game) -> None:
        self.game = game

    def begin(self, games: int) -> None:
        self.count = np.zeros((games, self.game.max_players), np.int64)

    def act(
        self, rows: IntArray, seats: IntArray, observation: ByteArray, mask: ByteArray, rng: Any
    ) -> IntArray:
        assert len(set(zip(rows.tolist(), seats.tolist(), strict=True))) == len(rows)
        self.count[rows, seats] += 1
        return self.chosen(self.count[rows, seats], mask)

    def reasons_in(
        self, rows: IntArray, seats: IntArray, observation: ByteArray, mask: ByteArray
    ) -> dict[str, FloatArray]:
        chosen = self.chosen(self.count[rows, seats] + 1, mask)
        return {"probability": np.eye(mask.shape[1], dtype=np.float32)[chosen]}

    def chosen(self, number: IntArray, mask: ByteArray) -> IntArray:
        place = number % np.count_nonzero(mask, axis=1)
        return np.asarray((np.cumsum(mask != 0, axis=1) > place[:, None]).argmax(axis=1))

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: Any) -> IntArray:
        raise AssertionError("it is asked by act")
