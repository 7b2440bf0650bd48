"""Sets of small numbers as the bits of an integer, for rules.

LLVM knows the sums in `size`: it makes one instruction of `size`, and one of `lowest`.
"""

from __future__ import annotations

_ODD_BITS, _ODD_PAIRS, _ODD_FOURS = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
_EIGHTS = 0x0101010101010101


def size(bits: int) -> int:
    """The number of members: sums of neighbouring bits, pairs, fours, and then of all eights.

    >>> size(0b101001)
    3
    """
    bits -= bits >> 1 & _ODD_BITS
    bits = (bits & _ODD_PAIRS) + (bits >> 2 & _ODD_PAIRS)
    bits = bits + (bits >> 4) & _ODD_FOURS
    return bits * _EIGHTS >> 56 & 0xFF


def lowest(bits: int) -> int:
    """The smallest member of a set that is not empty: how many numbers are below it.

    >>> lowest(0b101000)
    3
    """
    return size((bits & -bits) - 1)
