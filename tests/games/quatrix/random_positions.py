"""Random positions that games rarely reach: few units among walls, all pieces, or one move before a win."""

from __future__ import annotations

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.simulator import Simulator
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import Phase

from .play import set_board

RING, DISC, PIP = 1, 2, 3


def lay(units: np.ndarray, rng: np.random.Generator, kind: int, rows: range) -> None:
    """Put a unit on a random empty square of these rows, or nothing if there is none."""
    free = [(row, column) for row in rows for column in range(7) if units[row, column] == 0]
    if free:
        units[free[rng.integers(len(free))]] = kind


def sparse(rng: np.random.Generator) -> np.ndarray:
    """One to three own units close to enemies, most of them pips and discs, so that the duty matters."""
    units = np.zeros((11, 7), np.int8)
    top = int(rng.integers(4, 11))
    near = range(max(0, top - 6), min(top, 10))
    for kind in rng.integers(1, 4, size=rng.integers(1, 4)):
        lay(units, rng, int(kind), near)
    for kind in rng.choice([RING, PIP, PIP], size=rng.integers(0, 6)):
        lay(units, rng, 3 + int(kind), range(max(1, near.start), top))
    for _ in range(rng.integers(0, 8)):
        lay(units, rng, 3 + DISC, range(max(1, near.start), top))
    for kind in rng.integers(1, 4, size=rng.integers(0, 3)):  # at most seven rings in all (QX-64)
        lay(units, rng, 3 + int(kind), range(10, 11))
    return units


def crowded(rng: np.random.Generator) -> np.ndarray:
    """All pieces of both colours, on random squares."""
    units = np.zeros((11, 7), np.int8)
    for enemy, rows in ((0, range(10)), (3, range(1, 11))):
        pips = int(rng.integers(0, 7))
        for kind in [PIP] * pips + [RING, DISC] * (7 - pips):
            lay(units, rng, enemy + kind, rows)
    return units


def finishing(rng: np.random.Generator) -> np.ndarray:
    """The mover has six pips on the last two rows, and the seventh near them, whole or in parts."""
    units = np.zeros((11, 7), np.int8)
    for _ in range(6):
        lay(units, rng, PIP, range(8, 10))
    if rng.random() < 0.3:
        lay(units, rng, PIP, range(3, 8))
    else:
        lay(units, rng, RING, range(7, 10))
        lay(units, rng, DISC, range(2, 10))
    for kind in rng.integers(1, 4, size=rng.integers(0, 6)):
        lay(units, rng, 3 + int(kind), range(1, 11))
    return units


def seen_from(seat: int, units: np.ndarray) -> np.ndarray:
    """Units of a seat's own view (1..3 own, 4..6 enemy) in board coordinates, or the reverse."""
    if seat == 0:
        return units
    turned = units[::-1, ::-1]
    return np.where(turned == 0, 0, np.where(turned > 3, turned - 3, turned + 3)).astype(np.int8)


def first_decisions(rng: np.random.Generator, count: int, mode: Mode = Mode.COMPILED) -> Simulator:
    """`count` games at the first decision of a turn in such positions, with random options."""
    simulator = Simulator(GAME, count, seed=0, mode=mode)
    kinds = rng.choice([sparse, finishing, crowded], p=[0.7, 0.2, 0.1], size=count)
    for s, kind in zip(simulator.states, kinds, strict=True):
        s.options.finish_depth = rng.integers(1, 4)
        s.options.combined_straight = rng.integers(0, 2)
        s.phase = Phase.MOVE
        s.turn_seat = s.mover = rng.integers(0, 2)
        first = int(rng.integers(1, 7))
        second = first if rng.random() < 0.2 else int(rng.integers(1, 7))
        s.dice[:] = max(first, second), min(first, second)
        set_board(s, seen_from(int(s.turn_seat), kind(rng)))
    simulator.refresh()
    return simulator


def decisions(rng: np.random.Generator, count: int) -> Simulator:
    """`count` decisions in such positions: first and second die moves, and returns of popped rings."""
    simulator = first_decisions(rng, count)
    for _ in range(8):
        onward = simulator.states.copy()
        programs(GAME, Mode.COMPILED).advance(onward, simulator.random_actions())
        waiting = (onward["phase"] == Phase.PLACE) & (rng.random(count) < 0.8)  # rare, so nearly all are kept
        moving = (onward["phase"] == Phase.MOVE) & (rng.random(count) < 0.1)
        chosen = (waiting | moving) & (onward["mover"] >= 0)
        simulator.states[chosen] = onward[chosen]
        simulator.refresh()
    return simulator
