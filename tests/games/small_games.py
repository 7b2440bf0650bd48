"""Smaller games, which settings in a data file make, in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator


def begun(game: Game, seed: int = 0, **given: Any) -> Simulator:
    """A game with these data files and options, at its first decision."""
    other, options = game.configured(given)
    return Simulator(other, 1, options, seed=seed, mode=Mode.PLAIN)


def names(sim: Simulator) -> list[str]:
    """The legal actions."""
    return [sim.game.format_action(sim.states[0], int(i)) for i in np.flatnonzero(sim.mask[0])]


def play(sim: Simulator, *moves: str) -> None:
    """Some actions."""
    for text in moves:
        sim.step([sim.game.parse_action(sim.states[0], text)])
