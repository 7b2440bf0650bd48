"""Sets of slots, places or cards, as the bits of an integer."""

from __future__ import annotations

import numpy as np

from polytrix.core.state import IntArray

BIT_MODULUS = 37
"""2 is a primitive root of 37, so the powers 2**0 .. 2**35 have different remainders."""
BIT_INDEX: IntArray = np.zeros(BIT_MODULUS, np.int64)
"""[2**i % 37]: i, the index of the bit."""
for _i in range(BIT_MODULUS - 1):
    BIT_INDEX[(1 << _i) % BIT_MODULUS] = _i

_ODD_BITS, _ODD_PAIRS, _ODD_FOURS = 0x55555555, 0x33333333, 0x0F0F0F0F


def lowest(bits: int) -> int:
    """The smallest member of a nonempty set.

    >>> lowest(0b101000)
    3
    """
    return int(BIT_INDEX[(bits & -bits) % BIT_MODULUS])


def size(bits: int) -> int:
    """The number of members: sums of neighbouring bits, pairs, fours, ...

    >>> size(0b101001)
    3
    """
    bits = (bits & _ODD_BITS) + (bits >> 1 & _ODD_BITS)
    bits = (bits & _ODD_PAIRS) + (bits >> 2 & _ODD_PAIRS)
    bits = (bits & _ODD_FOURS) + (bits >> 4 & _ODD_FOURS)
    bits += bits >> 8
    return (bits + (bits >> 16)) & 0x3F


def nth(bits: int, k: int) -> int:
    """The k-th smallest member, counted from 0.

    >>> nth(0b101001, 2)
    5
    """
    for _ in range(k):
        bits &= bits - 1
    return lowest(bits)


def exchanged(bits: int, a: int, b: int) -> int:
    """The set with the members a and b exchanged.

    >>> bin(exchanged(0b001, 0, 2))
    '0b100'
    """
    different = (bits >> a ^ bits >> b) & 1
    return bits ^ (different << a | different << b)
