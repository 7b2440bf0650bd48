"""Sets of slots, places or cards, as the bits of an integer."""

from __future__ import annotations

from polytrix.core.bits import lowest


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
