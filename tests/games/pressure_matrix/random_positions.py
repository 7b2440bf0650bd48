"""Positions of random games, by compiled rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from polytrix.core.simulator import Simulator
from polytrix.games.pressure_matrix import GAME


def positions(players: int, count: int, seed: int, **options: Any) -> Iterator[Any]:
    """States of random games, final ones included; each is valid until the next is asked for."""
    simulator = Simulator(GAME, 8, {"players": players, **options}, seed=seed)
    choose = random.Random(seed)
    for _ in range(count):
        yield simulator.states[choose.randrange(8)]
        running = np.flatnonzero(~simulator.over)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions(running), running)


def met(fits: Callable[[Any], Any], players: int = 3, **options: Any) -> Any:
    """The first state of random games that fits, as an array of one state.

    Args:
        fits: says which of an array of states do.
        players: their number.
        options: other options.
    """
    simulator = Simulator(GAME, 256, {"players": players, **options}, seed=1)
    for _ in range(3000):
        found = np.flatnonzero(fits(simulator.states) & ~simulator.over)
        if len(found):
            return simulator.states[found[:1]].copy()
        simulator.step(
            simulator.random_actions(np.flatnonzero(~simulator.over)), np.flatnonzero(~simulator.over)
        )
        simulator.restart(np.flatnonzero(simulator.over))
    raise AssertionError("no such state was met")
