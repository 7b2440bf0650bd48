"""Many states of a game: of random play, and dealt again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER, RecordArray, new_records

from .by_hand import new_game


def walk(simulator: Simulator, steps: int) -> Iterator[Simulator]:
    """Play at random; yield the simulator before each step. Finished games are shown once, then restart."""
    for _ in range(steps):
        yield simulator
        running = np.flatnonzero(~simulator.over)
        simulator.restart(np.flatnonzero(simulator.over))
        simulator.step(simulator.random_actions(running), running)


def step_at_random(game: Game, states: Any, rng: np.random.Generator) -> None:
    """Carry out an action or a chance outcome, in plain Python."""
    s = states[0]
    choices = range(game.chance(s)) if s.mover == CHANCE else game.legal_ids(s)
    programs(game, Mode.PLAIN).advance(states, np.array([rng.choice(choices)]))


def random_game(game: Game, seed: int, **options: Any) -> Iterator[Any]:
    """Every state of a random game, from the first chance event to the end, in one record."""
    states, rng = new_game(game, **options), np.random.default_rng(seed)
    states["generator"]["key"] = seed
    yield states[0]
    while states[0].mover != OVER:
        step_at_random(game, states, rng)
        yield states[0]


def redealt(game: Game, s: Any, seat: int, samples: int = 20_000) -> RecordArray:
    """A position dealt again several times for a seat, each time from a stream of its own."""
    states = new_records(samples, game.state)
    states[:] = s
    states["generator"]["key"] = np.arange(samples, dtype=np.uint64) + np.uint64(1 << 32)
    programs(game).redeal_rows(states.view(np.ndarray), np.arange(samples), np.full(samples, seat))
    return states
