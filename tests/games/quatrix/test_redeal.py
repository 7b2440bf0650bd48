"""Nothing is hidden, so a redeal changes nothing."""

from __future__ import annotations

import numpy as np

from .random_positions import decisions


def test_a_redeal_changes_nothing() -> None:
    simulator = decisions(np.random.default_rng(10), 50)
    before = simulator.states.tobytes()
    simulator.redeal(0)
    simulator.redeal(1)
    assert simulator.states.tobytes() == before
