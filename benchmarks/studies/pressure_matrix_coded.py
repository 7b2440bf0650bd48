"""Pressure Matrix with the codings of `pressure_matrix_codings.py`, with the same rules and opponents.

The greedy policy reads the shipped coding. To play identically in every game, it gets the shipped coding,
computed from the game's own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from pressure_matrix_codings import (
    F_EXISTS,
    F_FACE,
    FACE_FEATURES,
    FEATURES,
    NUMBERS,
    SHIPPED,
    TOGETHER,
    WIDTH,
    Bytes,
    observe_features,
    observe_numbers,
    observe_together,
)

from polytrix.core.game import Game
from polytrix.core.layout import Layout
from polytrix.core.state import (
    ByteArray,
    Field,
    FloatArray,
    IdArray,
    IntArray,
    Record,
    RecordArray,
    Seen,
    fields_of,
)
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.greedy import greedy
from polytrix.games.pressure_matrix.matrix import HALF, PLACES, SHIFT, SQUARES, TILE
from polytrix.games.pressure_matrix.observation import Obs, show_tiles
from polytrix.games.pressure_matrix.state import FACES, SEATS, State


def entries_alike(layout: Layout) -> IntArray:
    """Pairs of equal entries of a layout and of the shipped one."""
    pairs = []
    for block in SHIPPED:
        for other in layout:
            if other.name == block.name and other.shape == block.shape:
                start, first = layout.offset(block.name), SHIPPED.offset(block.name)
                pairs += [(start + i, first + i) for i in range(block.size)]
    return np.array(pairs, np.int64)


FLAT_FEATURES: Bytes = FACE_FEATURES.reshape(FACES, PLACES * WIDTH)
ALIKE_FEATURES = entries_alike(FEATURES)
ALIKE_NUMBERS = entries_alike(NUMBERS)
ALIKE_TOGETHER = entries_alike(TOGETHER)


def greedy_by_features(
    observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """The greedy policy for *features*."""
    s = work[0]
    copy_alike(observation, ALIKE_FEATURES, s)
    for square in range(SQUARES):
        if observation[F_EXISTS + square]:
            s.shown[Obs.FACE + square] = 1 + face_of(observation, F_FACE + PLACES * WIDTH * square)
    rate_shown(s, ids, count, work, score)


def greedy_by_numbers(
    observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """The greedy policy for *numbers*."""
    s = work[0]
    copy_alike(observation, ALIKE_NUMBERS, s)
    rate_shown(s, ids, count, work, score)


def greedy_together(
    observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """The greedy policy for *together*."""
    s = work[0]
    copy_alike(observation, ALIKE_TOGETHER, s)
    rate_shown(s, ids, count, work, score)


def copy_alike(observation: ByteArray, pairs: IntArray, s: Record) -> None:
    """Copy equal entries to `s.shown`, an observation in the shipped coding."""
    for entry in range(SHIPPED_SIZE):
        s.shown[entry] = 0
    for i in range(pairs.shape[0]):
        s.shown[pairs[i, 1]] = observation[pairs[i, 0]]


def face_of(observation: ByteArray, at: int) -> int:
    """The face with these features, or -1."""
    for face in range(FACES):
        entry = 0
        while entry < PLACES * WIDTH and observation[at + entry] == FLAT_FEATURES[face, entry]:
            entry += 1
        if entry == PLACES * WIDTH:
            return face
    return -1


def rate_shown(s: Record, ids: IdArray, count: int, work: RecordArray, score: FloatArray) -> None:
    """Complete `s.shown` with the effects of nodes, as the shipped view does, and call the greedy policy."""
    s.num_players = 0
    s.occupied = 0
    s.full = 0
    s.black[0] = 0
    s.black[1] = 0
    for k in range(SEATS):
        s.num_players += s.shown[Obs.EXISTS + k]
        s.credits[k] = s.shown[Obs.CREDITS + k]
        s.runner[k] = -1
        for square in range(SQUARES):
            if s.shown[Obs.RUNNER + SQUARES * k + square]:
                s.runner[k] = square
                s.occupied |= 1 << square
    s.level = s.shown[Obs.LEVEL + 1] + 2 * s.shown[Obs.LEVEL + 2]
    for square in range(SQUARES):
        s.up[square] = s.shown[Obs.FACE + square] - 1
        s.reverse[square] = s.shown[Obs.REVERSE + square] - 1
        black = 0
        for place in range(PLACES):
            black |= int(s.shown[Obs.BLACK + PLACES * square + place]) << place
        s.black[HALF[square]] |= black << int(SHIFT[square])
        if black == TILE:
            s.full |= 1 << square
    show_tiles(s, 0, s.shown)
    greedy(s.shown, ids, count, work, score)


# -- the games ----------------------------------------------------------------------------------------

SHIPPED_SIZE = SHIPPED.size
ROOMY = [*fields_of(State), Field("shown", np.int8, -128, 127, SHIPPED_SIZE, Seen.IN_PART)]
"""The record with a field for an observation in the shipped coding, used by the greedy policy only."""


def coded(name: str, layout: Layout, observe: Any, heuristic: Any) -> Game:
    """The game with another coding, and the same rules, opponents and seeds."""
    return replace(
        GAME,
        name=f"pressure_matrix_{name}",
        fields=ROOMY,
        observations=layout,
        observe=observe,
        greedy=heuristic,
        data=(),
    )


CODINGS: dict[str, Game] = {
    "shipped": GAME,
    "features": coded("features", FEATURES, observe_features, greedy_by_features),
    "numbers": coded("numbers", NUMBERS, observe_numbers, greedy_by_numbers),
    "together": coded("together", TOGETHER, observe_together, greedy_together),
}
"""The games by name of the coding."""
