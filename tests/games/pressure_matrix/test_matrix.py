"""Sets of squares and nodes, against Python's own integers."""

from __future__ import annotations

import random

import numpy as np

from polytrix.core.compile.compiler import Mode, program
from polytrix.games.pressure_matrix.matrix import lowest_index, member, size

LARGEST = (1 << 63) - 1  # no set has the sign bit


def measure(sets: np.ndarray, indices: np.ndarray, out: np.ndarray) -> None:
    """A driver: size, lowest member and another member of each set."""
    for i in range(sets.shape[0]):
        out[i, 0] = size(sets[i])
        out[i, 1] = lowest_index(sets[i])
        out[i, 2] = member(sets[i], indices[i])


COMPILED = program(measure, {}, Mode.CHECKED, "sets")


def test_sizes_and_members() -> None:
    dice = random.Random(1)
    sets = [1 << i for i in range(63)] + [LARGEST, LARGEST - 1]
    for share in (1, 2, 3, 8):  # of about one half, a quarter, ... of the bits
        for _ in range(100):
            bits = LARGEST
            for _ in range(share):
                bits &= dice.getrandbits(63)
            sets.append(bits or 1)
    members = [[i for i in range(63) if bits >> i & 1] for bits in sets]
    indices = [dice.randrange(len(each)) for each in members]
    expected = [[len(each), each[0], each[index]] for each, index in zip(members, indices, strict=True)]
    plain = [
        [size(bits), lowest_index(bits), member(bits, index)] for bits, index in zip(sets, indices, strict=True)
    ]
    assert plain == expected
    out = np.zeros((len(sets), 3), np.int64)
    COMPILED(np.array(sets, np.int64), np.array(indices, np.int64), out)
    assert out.tolist() == expected


def test_the_empty_set_has_no_members() -> None:
    assert size(0) == 0
