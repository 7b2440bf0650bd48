"""The potential, from the board."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.state import Record
from polytrix.games.quatrix.state import board

from .random_positions import decisions, seen_from


def potential(s: Record, seat: int) -> float:
    """Advance of the own pieces less that of the enemy's, as a fraction of all that is possible."""
    z = 10 - int(s.options.finish_depth)
    weights = {0: 0, 1: 1, 2: 1, 3: 2}
    advance = []
    for view in (seat, 1 - seat):
        units = seen_from(view, board(s))
        advance.append(sum(weights.get(int(units[r, c]), 0) * min(r, z) for r in range(11) for c in range(7)))
    return (advance[0] - advance[1]) / (14 * z)


def test_potential() -> None:
    simulator = decisions(np.random.default_rng(9), 300)
    found = simulator.potential()
    for s, pair in zip(simulator.states, found, strict=True):
        assert pair.tolist() == pytest.approx([potential(s, 0), potential(s, 1)], abs=1e-6)
    assert np.abs(found.sum(axis=1)).max() < 1e-6
