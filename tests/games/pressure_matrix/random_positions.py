"""Positions of random games, by compiled rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from polytrix.core.simulator import Simulator
from polytrix.games.pressure_matrix import GAME
from tests.games.samples import walk


def positions(players: int, count: int, seed: int, **options: Any) -> Iterator[Any]:
    """States of random games, final ones included; each is valid until the next is asked for."""
    choose = random.Random(seed)
    for simulator in walk(Simulator(GAME, 8, {"players": players, **options}, seed=seed), count):
        yield simulator.states[choose.randrange(8)]


def met(fits: Callable[[Any], Any], players: int = 3, **options: Any) -> Any:
    """The first state of random games that fits, as an array of one state.

    Args:
        fits: says which of an array of states do.
        players: their number.
        options: other options.
    """
    for simulator in walk(Simulator(GAME, 256, {"players": players, **options}, seed=1), 3000):
        found = np.flatnonzero(fits(simulator.states) & ~simulator.over)
        if len(found):
            return simulator.states[found[:1]].copy()
    raise AssertionError("no such state was met")
