"""Helpers for `LearnerBatch` tests: batches, opponents, and recorded play."""

from __future__ import annotations

import numpy as np

from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import LineUp
from polytrix.core.simulator import Simulator
from tests.toys import SECRET


def first(observation, mask, rng):
    """The first legal action."""
    return mask.argmax(axis=1)


def last(observation, mask, rng):
    """The last legal action."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def wild(observation, mask, rng):
    """A random legal action, from the generator passed to policies."""
    return (mask * rng.random(mask.shape)).argmax(axis=1)


def batch(game=SECRET, rows=1, opponent="random", *, seed=0, threads=1, options=None, **rules):
    return LearnerBatch(
        Simulator(game, rows, options, num_threads=threads), LineUp(game, opponent), seed=seed, **rules
    )


def history(games, steps, choose=first):
    """The outputs of some steps; a finished game is followed by the next one."""
    rng = np.random.default_rng(7)
    out = []
    for _ in range(steps):
        seen, mask, seat = games.observation(), games.mask(), games.seat.copy()
        reward, terminated, truncated = games.step(choose(seen, mask, rng))
        out.append((seen, mask, seat, reward, terminated, truncated, games.observation()))
        games.restart(np.flatnonzero(terminated | truncated))
    return [np.array(column) for column in zip(*out, strict=True)]


def everything(games):
    """The complete state of a batch."""
    arrays = (games.simulator.states, games.seat, games.player, games.length, games.returned, games.over)
    return [array.tobytes() for array in arrays], games.rng.bit_generator.state


def same(one, other):
    return all((a == b).all() for a, b in zip(one, other, strict=True))
