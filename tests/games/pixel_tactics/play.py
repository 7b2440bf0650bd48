"""States of random and greedy games, for tests of many states."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from polytrix.core.drivers import EXTERNAL, GREEDY
from polytrix.core.simulator import Simulator
from polytrix.games.pixel_tactics import GAME
from tests.games.samples import walk


def simulators(steps: int, seed: int, games: int = 8, **options: Any) -> Iterator[Simulator]:
    """A simulator of random games before each step; rows with odd numbers are against the greedy policy."""
    simulator = Simulator(GAME, games, options, seed=seed)
    simulator.policy[1::4, 1] = GREEDY
    simulator.policy[3::4, 0] = GREEDY
    yield from walk(simulator, steps)
    assert (simulator.policy[0] == EXTERNAL).all()


def positions(count: int, seed: int, **options: Any) -> Iterator[Any]:
    """States of such games, also final ones; each is valid until the next one is requested."""
    choose = random.Random(seed)
    for simulator in simulators(count, seed, **options):
        yield simulator.states[choose.randrange(simulator.num_envs)]
