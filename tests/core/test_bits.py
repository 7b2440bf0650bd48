"""Sets as bits, against Python's own integers."""

from __future__ import annotations

import random

import numpy as np

from polytrix.core.bits import lowest, size
from polytrix.core.compile.compiler import Mode, program

LARGEST = (1 << 63) - 1  # no set has the sign bit


def measure(sets: np.ndarray, out: np.ndarray) -> None:
    """A driver: size and lowest member of each set."""
    for i in range(sets.shape[0]):
        out[i, 0] = size(sets[i])
        out[i, 1] = lowest(sets[i])


def test_size_and_lowest_member() -> None:
    dice = random.Random(1)
    sets = [1 << i for i in range(63)] + [LARGEST, LARGEST - 1]
    for share in (1, 2, 3, 8):  # of about one half, a quarter, ... of the bits
        for _ in range(100):
            bits = LARGEST
            for _ in range(share):
                bits &= dice.getrandbits(63)
            sets.append(bits or 1)
    expected = [[bits.bit_count(), bin(bits)[::-1].index("1")] for bits in sets]
    assert [[size(bits), lowest(bits)] for bits in sets] == expected
    out = np.zeros((len(sets), 2), np.int64)
    program(measure, {}, Mode.CHECKED, "sets")(np.array(sets, np.int64), out)
    assert out.tolist() == expected


def test_the_empty_set_has_no_members() -> None:
    assert size(0) == 0
