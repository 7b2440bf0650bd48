"""Sets of squares and nodes, against Python's own integers."""

from __future__ import annotations

import random

import numpy as np

from polytrix.core.compile.compiler import Mode, program
from polytrix.games.pressure_matrix.matrix import member

LARGEST = (1 << 63) - 1  # no set has the sign bit


def measure(sets: np.ndarray, indices: np.ndarray, out: np.ndarray) -> None:
    """A driver: a member of each set."""
    for i in range(sets.shape[0]):
        out[i] = member(sets[i], indices[i])


COMPILED = program(measure, {}, Mode.CHECKED, "sets")


def test_members() -> None:
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
    expected = [each[index] for each, index in zip(members, indices, strict=True)]
    assert [member(bits, index) for bits, index in zip(sets, indices, strict=True)] == expected
    out = np.zeros(len(sets), np.int64)
    COMPILED(np.array(sets, np.int64), np.array(indices, np.int64), out)
    assert out.tolist() == expected
