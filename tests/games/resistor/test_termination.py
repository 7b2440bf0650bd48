"""Every game ends within its bounds: RS-40."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.resistor import GAME

from .side_by_side import OPTION_SETS

BASE, ANY = 201, 800


@pytest.mark.clause("RS-39", "RS-40")
def test_bounds_in_play() -> None:
    """All option sets side by side; players want long games: they undo and recycle whenever possible."""
    options = OPTION_SETS * 8
    simulator = Simulator(GAME, len(options), seed=5)
    for s, values in zip(simulator.states, options, strict=True):
        GAME.options.write(s.options, GAME.options.validate(values))
    simulator.refresh()
    longer = ("comeback_circuits", "recycling_subsystems", "lock_down")
    base = np.array([not any(values[name] for name in longer) for values in options])
    for decision in range(ANY):
        running = np.flatnonzero(~simulator.over)
        if not len(running):
            break
        assert (simulator.states["length"][running] > 1).all()
        assert (simulator.states["decisions"][running] == decision).all()
        simulator.step(lengthened(simulator, running, simulator.random_actions(running)), running)
    assert simulator.terminated.all()
    decisions = simulator.states["decisions"]
    assert decisions.max() < ANY
    assert decisions[base].max() <= BASE
    assert decisions.mean() > 60
    assert GAME.options.defaults["max_decisions"] > ANY


def lengthened(simulator: Simulator, rows: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Instead of these actions those that make a game longer, where there are any."""
    better = actions.copy()
    for i, b in enumerate(rows):
        mask = simulator.mask[b]
        for action in (85, 8, 14):  # U, Pa, T-
            if mask[action]:
                better[i] = action
    return better
