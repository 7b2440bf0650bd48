"""A search for long turns, from positions that are rare in play.

Many games are played side by side at random. Their player never ends a turn while there is another action,
seldom declines, and chance and the other seat help. A game whose turn has ended is replaced by a copy of one
whose turn goes on, so the longest turns are left in the end. A position that occurs again within its turn, with
no fewer actions left, is an endless turn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.pixel_tactics import GAME, rules
from polytrix.games.pixel_tactics.state import STACK, Act, Decision

from .positions import Table

TURN = ("match", "round_number", "wave", "active")
COUNTERS = ("generator", "decisions", "actions", "played", "lose_next")
"""Fields that positions counted as equal may differ in; `actions` may only have grown."""


class Found(NamedTuple):
    """The longest turn of a search.

    Args:
        decisions: its length.
        position: its start.
        repeated: the decision at which a position occurred again; 0 if none did.
    """

    decisions: int
    position: str
    repeated: int


def search(
    positions: list[str],
    copies: int,
    seed: int,
    limit: int,
    game: Game = GAME,
    mode: Mode = Mode.COMPILED,
) -> Found:
    """Play turns from these positions until the last one has ended, or has had `limit` decisions."""
    states = np.stack([first_decision(text) for text in positions]).repeat(copies)
    origin = np.arange(len(positions)).repeat(copies)[states["mover"] != OVER]
    states = states[states["mover"] != OVER]
    simulator = Simulator(game, len(states), seed=seed, mode=mode)
    keys = simulator.states["generator"].copy()
    simulator.states.view(np.ndarray)[:] = states
    simulator.states["generator"] = keys
    simulator.refresh()
    rng = np.random.default_rng(seed)
    seen = np.zeros((limit, len(states)), np.int64)  # fingerprints of each turn so far
    left = np.zeros((limit, len(states)), np.int16)  # actions at that time
    begun = turns(simulator)
    for length in range(limit):
        now, actions = fingerprints(simulator.states), simulator.states["actions"]
        again = ((seen[:length] == now) & (left[:length] <= actions)).any(axis=0)
        if again.any():
            return Found(length, positions[origin[again.argmax()]], length)
        seen[length], left[length] = now, actions
        simulator.step(actions_of(simulator, rng))
        ended = simulator.over | (turns(simulator) != begun).any(axis=1)
        rows, going = np.flatnonzero(ended), np.flatnonzero(~ended)
        if not len(going):
            return Found(length + 1, positions[origin[0]], 0)
        source = rng.choice(going, len(rows))
        keys = simulator.states["generator"][rows]
        simulator.states[rows] = simulator.states[source]
        simulator.states["generator"][rows] = keys
        seen[: length + 1, rows], left[: length + 1, rows] = (
            seen[: length + 1, source],
            left[: length + 1, source],
        )
        origin[rows], begun[rows] = origin[source], begun[source]
        simulator.refresh(rows)
    return Found(limit, positions[origin[0]], 0)


def first_decision(text: str) -> npt.NDArray[Any]:
    """The state of a position, after the pending chance events."""
    s = Table(text).s
    while s.mover == CHANCE:
        rules.apply(s, 0)
    return np.asarray(s)


def turns(simulator: Simulator) -> npt.NDArray[np.int64]:
    """The turn of each game, (games, 4)."""
    return np.stack([simulator.states[name].astype(np.int64) for name in TURN], axis=1)


def actions_of(simulator: Simulator, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """A random action for each game; it never ends the turn at will, and seldom declines."""
    reluctant = (simulator.states["decision"] == Decision.TURN) | (rng.random(simulator.num_envs) < 0.8)
    skip = (reluctant & (simulator.legal_ids[:, 0] == Act.PASS)).astype(np.int64)
    which = skip + (rng.random(len(skip)) * (simulator.num_legal - skip)).astype(np.int64)
    return simulator.legal_ids[np.arange(len(which)), which].astype(np.int64)


def fingerprints(states: Any) -> npt.NDArray[np.int64]:
    """A number for each position, without counters and unused frames."""
    same = states.view(np.ndarray).copy()
    for name in COUNTERS:
        same[name] = np.zeros((), same[name].dtype)
    same["stack"][np.arange(STACK) >= same["depth"][:, None]] = np.zeros((), same["stack"].dtype)
    return np.array([hash(state.tobytes()) for state in same])
