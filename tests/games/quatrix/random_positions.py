"""Random positions that games rarely reach: few units among walls, all pieces, or one move before a win."""

from __future__ import annotations

import numpy as np

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.simulator import Simulator
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.bitboard import NEAR_SQUARES, SQUARES, Half
from polytrix.games.quatrix.state import Phase

from .obvious import DISC, ENEMY_RING, PIP, RING

FEW, ALL, FINISHING = range(3)
ROWS = np.repeat(np.arange(11), 7)


def seen_from(seat: int, units: np.ndarray) -> np.ndarray:
    """Units of a seat's own view (1..3 own, 4..6 enemy) in board coordinates, or the reverse."""
    if seat == 0:
        return units
    turned = units[::-1, ::-1]
    return np.where(turned == 0, 0, np.where(turned > 3, turned - 3, turned + 3)).astype(np.int8)


def first_decisions(rng: np.random.Generator, count: int, mode: Mode = Mode.COMPILED) -> Simulator:
    """`count` games at the first decision of a turn in such positions, with random options."""
    simulator = Simulator(GAME, count, seed=0, mode=mode)
    states = simulator.states
    states["options"]["finish_depth"] = rng.integers(1, 4, size=count)
    states["options"]["combined_straight"] = rng.integers(0, 2, size=count)
    states["options"]["scoring"] = np.arange(count) % 2
    dice = np.sort(rng.integers(1, 7, size=(count, 2)))[:, ::-1]
    seats = rng.integers(0, 2, size=count)
    lay_out(states, random_units(rng, dice), seats)
    states["dice"], states["phase"] = dice, Phase.MOVE
    states["turn_seat"] = states["mover"] = seats
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


# -- many positions at once: (count, 77) units in the mover's own view ----------------------------


def random_units(rng: np.random.Generator, dice: np.ndarray) -> np.ndarray:
    """One to four own units, or all, or six pips at home, among enemies where a die would lead."""
    count = len(dice)
    units = np.zeros((count, SQUARES), np.int64)
    setting = rng.choice([FEW, ALL, FINISHING], size=(count, 1), p=[0.6, 0.25, 0.15])
    few = rng.integers(RING, PIP + 1, size=(count, 14)) * (np.arange(14) < rng.integers(1, 5, size=(count, 1)))
    own = np.choose(setting, [few, an_army(rng, count), [PIP] * 6 + [RING, DISC] + [0] * 6])
    low = rng.integers(0, 10, size=(count, 1))
    close = np.choose(setting, [(low <= ROWS) & (low + 6 > ROWS), np.ones_like(ROWS, bool), ROWS >= 8])
    lay(rng, units, own, ROWS <= 9, 2 * close * (rng.random((count, 1)) < 0.9))

    discs = rng.permuted(np.tile([DISC] * 7 + [RING] * 3 + [0] * 4, (count, 1)), axis=1)
    enemy = np.where(rng.random((count, 1)) < 0.4, discs, an_army(rng, count))
    enemy[rng.random((count, 14)) < rng.choice([0, 0.3, 0.7], size=(count, 1))] = 0
    enemy[enemy > 0] += ENEMY_RING - RING
    blocked = np.where(rng.random(count) < 0.5, dice[:, 0], dice[:, 1])
    lay(rng, units, enemy, ROWS >= 1, landing_squares(units, blocked) * rng.integers(0, 3, size=(count, 1)))
    return units


def an_army(rng: np.random.Generator, count: int) -> np.ndarray:
    """(count, 14) units: all pieces of a colour, some in pips, and zeros, shuffled."""
    in_pips = np.arange(7) < rng.integers(0, 8, size=(count, 1))
    units = np.concatenate([np.where(in_pips, PIP, RING), np.where(in_pips, 0, DISC)], axis=1)
    return rng.permuted(units, axis=1)


def landing_squares(units: np.ndarray, distance: np.ndarray) -> np.ndarray:
    """(count, 77) whether each square is `distance` away from a unit, in a straight line."""
    boards = units.reshape(-1, 11, 7) > 0
    padded = np.pad(boards, ((0, 0), (6, 6), (6, 6)))
    found = np.zeros_like(boards)
    for steps in range(1, 7):
        rows = distance == steps
        for down, right in ((steps, 0), (-steps, 0), (0, steps), (0, -steps)):
            found[rows] |= padded[rows, 6 + down : 17 + down, 6 + right : 13 + right]
    return found.reshape(-1, SQUARES)


def lay(
    rng: np.random.Generator, units: np.ndarray, kinds: np.ndarray, allowed: np.ndarray, wanted: np.ndarray
) -> None:
    """Put (count, n) more units on allowed empty squares, first on the wanted ones."""
    key = rng.random(units.shape) - wanted + 10 * ((units > 0) | ~allowed)
    squares = np.argsort(key, axis=1)[:, : kinds.shape[1]]
    free = np.take_along_axis(key, squares, axis=1) < 5
    there = np.take_along_axis(units, squares, axis=1)
    np.put_along_axis(units, squares, np.where(free, kinds, there), axis=1)


def lay_out(states: np.ndarray, units: np.ndarray, seats: np.ndarray) -> None:
    """Write units of the movers' own views into the records."""
    rows = np.arange(len(states))
    for ring, has in (("ring", (RING, PIP)), ("disc", (DISC, PIP))):
        own = np.isin(units, has)
        enemy = np.isin(units, [kind + ENEMY_RING - RING for kind in has])
        states[ring][rows, seats] = halves(own)
        states[ring][rows, 1 - seats] = halves(enemy[:, ::-1])
        states["enemy_" + ring][rows, seats] = halves(enemy)
        states["enemy_" + ring][rows, 1 - seats] = halves(own[:, ::-1])


def halves(squares: np.ndarray) -> np.ndarray:
    """(count, 77) squares as the two halves of a set, (count, 2)."""
    found = np.zeros((len(squares), 2), np.int64)
    found[:, Half.NEAR] = squares[:, :NEAR_SQUARES] @ (1 << np.arange(NEAR_SQUARES))
    found[:, Half.FAR] = squares[:, NEAR_SQUARES:] @ (1 << np.arange(SQUARES - NEAR_SQUARES))
    return found
