"""Hashes of what a seat sees: the names of positions in a search tree."""

from __future__ import annotations

import numpy as np

from ..state import ByteArray

WORD = 8
"""Entries of an observation that are hashed at a time."""

WORD_KEYS = np.random.PCG64(1).random_raw((2, 256))
"""Random numbers for `hashed`; longer observations use them again."""

LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER_0 = np.uint64(0x9E3779B1)
_MULTIPLIER_1 = np.uint64(0x85EBCA77)
_SHIFT_0 = np.uint64(15)
_SHIFT_1 = np.uint64(13)


def room_for_observation(size: int) -> ByteArray:
    """Zeros for an observation of this size, and for the rest of its last word."""
    return np.zeros(-(-size // WORD) * WORD, np.int8)


def hashed(observation: ByteArray, mover: int) -> np.uint64:
    """Hash what the mover sees.

    Words of eight entries are combined with a key each, and their halves multiplied (NH: Black et al. 1999,
    "UMAC"), twice. There are no branches, so LLVM turns the loop into vector instructions.

    Args:
        observation: (W * WORD,) entries, the last of which may be unused and zero.
        mover: its seat.
    """
    words = observation.view(np.uint64)
    key = mixed(np.uint64(0), np.uint64(mover + 1))
    for first in range(0, words.shape[0], WORD_KEYS.shape[1]):
        a = b = np.uint64(0)
        for i in range(min(WORD_KEYS.shape[1], words.shape[0] - first)):
            word = words[first + i]
            x, y = word ^ WORD_KEYS[0, i], word ^ WORD_KEYS[1, i]
            a ^= (x & LOW) * (x >> _HALF)
            b ^= (y & LOW) * (y >> _HALF)
        key = mixed(mixed(key, a & LOW), a >> _HALF)
        key = mixed(mixed(key, b & LOW), b >> _HALF)
    return key


def mixed(key: np.uint64, value: np.uint64) -> np.uint64:
    """Mix a value below 2**32 into the key: two 32-bit hashes side by side."""
    a = ((key >> _HALF) ^ value) * _MULTIPLIER_0 & LOW
    b = ((key & LOW) ^ value) * _MULTIPLIER_1 & LOW
    return ((a ^ (a >> _SHIFT_0)) << _HALF) | (b ^ (b >> _SHIFT_1))
