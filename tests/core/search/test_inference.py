"""Sums of a network's outputs."""

from __future__ import annotations

import numpy as np

from polytrix.core.search.inference import LANES, dot


def test_a_dot_product_has_every_product_once_at_all_sizes() -> None:
    rng = np.random.default_rng(1)
    for size in range(LANES, 1025, LANES):
        a, b = rng.integers(-8, 9, (2, size)).astype(np.float32)  # sums of such numbers are exact
        assert dot(a, b, np.zeros(size // 4, np.float32)) == a @ b
