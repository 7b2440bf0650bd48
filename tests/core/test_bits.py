"""Sets as bits, against Python's own integers."""

from __future__ import annotations

import random

import numpy as np

from polytrix.core.bits import first_and_rest, lowest, nth, size
from polytrix.core.compile.compiler import Mode, program

LARGEST = (1 << 63) - 1  # no set has the sign bit


def measure(sets: np.ndarray, indices: np.ndarray, out: np.ndarray) -> None:
    """A driver: size, lowest member, another member and the rest of each set."""
    for i in range(sets.shape[0]):
        out[i, 0] = size(sets[i])
        out[i, 1], out[i, 3] = first_and_rest(sets[i])
        out[i, 2] = nth(sets[i], indices[i])


def test_size_and_members() -> None:
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
    expected = [
        [len(each), each[0], each[index], bits - (1 << each[0])]
        for bits, each, index in zip(sets, members, indices, strict=True)
    ]
    assert [lowest(bits) for bits in sets] == [each[0] for each in members]
    for out in (np.zeros((len(sets), 4), np.int64), np.zeros((len(sets), 4), object)):
        arrays = np.array(sets, out.dtype), np.array(indices, out.dtype)
        (measure if out.dtype == object else program(measure, {}, Mode.CHECKED, "sets"))(*arrays, out)
        assert out.tolist() == expected


def test_the_empty_set_has_no_members() -> None:
    assert size(0) == 0
