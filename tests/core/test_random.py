"""The generator is the published one, and its draws are uniform."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from polytrix.core.random import draw, next_bits, next_game_key, philox, reseed
from polytrix.core.state import GENERATOR, new_records
from tests.chi_square import is_like


def generator(key: int) -> Any:
    g = new_records(1, GENERATOR)[0]
    g.key = key
    return g


def philox_of_integers(counter: list[int], key: list[int]) -> list[int]:
    """The algorithm again, from its definition, on Python integers."""
    c, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 1 << 32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 1 << 32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) % (1 << 32), (k[1] + 0xBB67AE85) % (1 << 32)]
    return c


def test_the_reference_implementation_gives_the_published_answers() -> None:
    ones = 0xFFFFFFFF
    assert philox_of_integers([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox_of_integers([ones] * 4, [ones] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


@pytest.mark.parametrize("key", [0, 1, 77, 2**32 - 1, 2**32, 2**63 - 1, 2**64 - 1])
@pytest.mark.parametrize("counter", [0, 5, 2**32 - 1, 2**32, 2**64 - 1])
def test_philox_against_plain_integers(key: int, counter: int) -> None:
    words = philox_of_integers([counter % (1 << 32), counter >> 32, 0, 0], [key % (1 << 32), key >> 32])
    assert int(philox(np.uint64(key), np.uint64(counter))) == words[0] + (words[1] << 32)


def test_words_are_counted() -> None:
    g = generator(9)
    words = [int(next_bits(g)) for _ in range(4)]
    assert int(g.counter) == 4 and len(set(words)) == 4
    assert words == [int(philox(np.uint64(9), np.uint64(i))) for i in range(4)]
    reseed(g, np.uint64(9))
    assert int(next_bits(g)) == words[0]


@pytest.mark.parametrize("n", [2, 3, 6, 7, 52])
def test_draws_are_uniform(n: int) -> None:
    g = generator(n)
    assert is_like(Counter(int(draw(g, n)) for _ in range(200 * n)), dict.fromkeys(range(n), 1))


def test_successive_draws_are_independent() -> None:
    g = generator(3)
    found = Counter(6 * int(draw(g, 6)) + int(draw(g, 6)) for _ in range(7200))
    assert is_like(found, dict.fromkeys(range(36), 1))


def test_draws_keep_their_bounds() -> None:
    g = generator(1)
    assert {draw(g, 1) for _ in range(50)} == {0}
    top = 2**31 - 1
    drawn = [draw(g, top) for _ in range(300)]
    assert min(drawn) >= 0 and top // 2 < max(drawn) < top
    drawn = [draw(g, 3 << 29) for _ in range(300)]  # a quarter of all draws must be rejected
    assert int(g.counter) > 650 + 60 and max(drawn) < 3 << 29


def test_a_rejected_word_is_replaced_by_the_next() -> None:
    """Lemire's method rejects bits whose product with n has a low half below 2**32 mod n."""
    n = 3 << 29
    for key in range(40):
        word = int(philox(np.uint64(key), np.uint64(0))) % (1 << 32)
        g = generator(key)
        draw(g, n)
        assert (int(g.counter) > 1) == (word * n % (1 << 32) < (1 << 32) % n)


def test_keys_of_next_games_can_be_seeds() -> None:
    g = generator(5)
    keys = [int(next_game_key(g)) for _ in range(100)]
    assert max(keys) < 1 << 63 and len(set(keys)) == 100
