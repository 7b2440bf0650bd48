"""The duty to use both dice in many rare positions, compared with its plain definition: try every first move.

    python -m tests.games.quatrix.duty --positions 1000000

The rules decide most turns by a quick test on sets of squares; `obvious.py` has the plain definition. Real
games rarely reach a position in which the two could differ, so random positions are made for it: with few units
or all of them, and with enemies where one die would lead.
"""

from __future__ import annotations

import argparse
from collections import Counter

import numpy as np
from tqdm import trange

from polytrix.core.compile.programs import programs
from polytrix.core.simulator import Simulator
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.bitboard import NEAR_SQUARES, SQUARES, Half
from polytrix.games.quatrix.state import Phase

from . import obvious
from .obvious import DISC, ENEMY_RING, PIP, RING

BATCH = 4_000
FEW, ALL, FINISHING = range(3)
ROWS = np.repeat(np.arange(11), 7)


def compare(positions: int, seed: int) -> Counter[str]:
    """Compare the given number of turns, first and second decision; return the number of each kind.

    Raises:
        AssertionError: with the position in which the rules and the plain definition differ.
    """
    seen: Counter[str] = Counter()
    for batch in trange(0, positions, BATCH, unit_scale=BATCH, disable=positions <= 10 * BATCH):
        compare_batch(np.random.default_rng([seed, batch]), min(BATCH, positions - batch), seen)
    return seen


def compare_batch(rng: np.random.Generator, count: int, seen: Counter[str]) -> None:
    simulator, turns = first_decisions(rng, count)
    actions = np.zeros(count, np.int64)
    for b, turn in enumerate(turns):
        results = obvious.results(turn)
        check_legal(simulator, b, list(results))
        seen.update(kinds(turn, list(results)))
        actions[b] = rng.choice(list(results))
        turns[b] = results[actions[b]]
    programs(GAME, simulator.mode).advance(simulator.states, actions)
    simulator.refresh()
    for b, (turn, action, s) in enumerate(zip(turns, actions, simulator.states, strict=True)):
        if action != obvious.PASS and obvious.goes_on(turn):
            seen["second decision"] += 1
            check_legal(simulator, b, list(obvious.results(turn)))
        else:
            assert s.phase == Phase.ROLL or obvious.home(turn) == 7, GAME.text(s, None)


def check_legal(simulator: Simulator, b: int, expected: list[int]) -> None:
    """Check that exactly these actions are legal in a row's position."""
    found = simulator.legal_ids[b, : simulator.num_legal[b]].tolist()
    s = simulator.states[b]
    if found != expected:
        wrong = sorted(set(found) ^ set(expected))
        raise AssertionError(f"{[GAME.format_action(s, action) for action in wrong]}\n{GAME.text(s, None)}")


def kinds(turn: obvious.Turn, legal: list[int]) -> list[str]:
    """The kinds of positions that a first decision is counted as."""
    if legal == [obvious.PASS]:
        return ["pass"]
    every = [list(obvious.die_moves(turn, die)) for die in range(2 - turn.doubles)]
    found = ["doubles" if turn.doubles else "two numbers"]
    if len(legal) < sum(map(len, every)):
        found.append("the duty forbids some")
        if not all(every):
            found.append("... although one die has no move before the first")
    elif not all(every):
        found.append("one die has no move before the first, none forbidden")
    return found


# -- many positions at once: (count, 77) units in the mover's own view ----------------------------


def first_decisions(rng: np.random.Generator, count: int) -> tuple[Simulator, list[obvious.Turn]]:
    """`count` games at the first decision of a turn, options drawn too, and the same turns for `obvious`."""
    simulator = Simulator(GAME, count, seed=0)
    states = simulator.states
    states["options"]["finish_depth"] = rng.integers(1, 4, size=count)
    states["options"]["combined_straight"] = rng.integers(0, 2, size=count)
    dice = np.sort(rng.integers(1, 7, size=(count, 2)))[:, ::-1]
    seats = rng.integers(0, 2, size=count)
    units = random_units(rng, dice)
    lay_out(states, units, seats)
    states["dice"], states["phase"] = dice, Phase.MOVE
    states["turn_seat"] = states["mover"] = seats
    simulator.refresh()
    turns = [
        obvious.Turn(
            units={divmod(int(square), 7): int(board[square]) for square in np.flatnonzero(board)},
            dice=(int(roll[0]), int(roll[1])),
            used=(False, False),
            first=None,
            returning=False,
            depth=int(options["finish_depth"]),
            both=int(options["combined_straight"]) == 0,
        )
        for board, roll, options in zip(units, dice, states["options"], strict=True)
    ]
    return simulator, turns


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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for kind, number in compare(arguments.positions, arguments.seed).most_common():
        print(f"{number:10,}  {kind}")
