"""A counter-based random generator that lives in the state.

Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3",
2011): number `counter` of the stream `key` is a pure function of both, so a generator is
two integers, streams with different keys are independent, and no warm-up is needed. All
products are of 32-bit numbers in 64-bit integers, so compiled code and plain Python agree.
"""

from __future__ import annotations

import numpy as np

from .state import Generator
from .trust import require

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
"""The lower half of a word, and the number of its bits."""

POLICY_STREAM = np.uint64(1 << 63)
"""Built-in policies choose by the stream of the game's key with this bit set; no game's own key has it."""

_ONE = np.uint64(1)
_MULTIPLIER_0 = np.uint64(0xD2511F53)
_MULTIPLIER_1 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)


def philox(key: np.uint64, counter: np.uint64) -> np.uint64:
    """The first 64 of the 128 bits at `counter` in the stream `key`."""
    k0 = key & LOW
    k1 = key >> HALF
    c0 = counter & LOW
    c1 = counter >> HALF
    c2 = np.uint64(0)
    c3 = np.uint64(0)
    for _ in range(10):
        product0 = _MULTIPLIER_0 * c0
        product1 = _MULTIPLIER_1 * c2
        c0 = (product1 >> HALF) ^ c1 ^ k0
        c2 = (product0 >> HALF) ^ c3 ^ k1
        c1 = product1 & LOW
        c3 = product0 & LOW
        k0 = (k0 + _WEYL_0) & LOW
        k1 = (k1 + _WEYL_1) & LOW
    return c0 | (c1 << HALF)


def next_bits(generator: Generator) -> np.uint64:
    """The next 64 random bits; advances `generator.counter`."""
    bits = philox(np.uint64(generator.key), np.uint64(generator.counter))
    generator.counter += _ONE
    return bits


def draw(generator: Generator, n: int) -> int:
    """A uniformly random integer in `0..n-1`, without bias (Lemire 2019), for `1 <= n <= 2**32`."""
    require(0 < n <= 1 << 32)  # else the loop below need not end
    bound = np.uint64(n)
    product = (next_bits(generator) & LOW) * bound
    if (product & LOW) < bound:  # rare; otherwise no division is needed
        unfair = (np.uint64(1 << 32) - bound) % bound
        while (product & LOW) < unfair:
            product = (next_bits(generator) & LOW) * bound
    return np.int64(product >> HALF)  # type: ignore[return-value]  # int() would leave it unsigned


def reseed(generator: Generator, key: np.uint64) -> None:
    """Set the generator to the start of another stream."""
    generator.key = key
    generator.counter = 0


def next_game_key(generator: Generator) -> np.uint64:
    """A key for the next game in the same row: 63 bits, so that it is a valid seed."""
    return next_bits(generator) >> _ONE
