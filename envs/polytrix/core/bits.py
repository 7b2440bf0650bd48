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


def first_and_rest(bits: int) -> tuple[int, int]:
    """The smallest member of a set that is not empty, and the set without it, to go through its members.

    >>> first_and_rest(0b101000)
    (3, 32)
    """
    return lowest(bits), bits & bits - 1


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
