"""The rules against the obvious model, through whole turns from rare positions.

    python -m tests.games.quatrix.side_by_side --positions 1000000

The rules decide most turns by a quick test on sets of squares; `obvious.py` has the plain definition of the
duty to use both dice (QX-70): try every first move. Games rarely reach a position in which both could differ.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any

import numpy as np
from tqdm import trange

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.state import OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.ending import odds
from polytrix.games.quatrix.state import Phase, board

from . import obvious
from .random_positions import first_decisions, seen_from

BATCH = 4_000


def compare(positions: int, seed: int, mode: Mode = Mode.COMPILED) -> Counter[str]:
    """Compare the given number of turns, each decision of them; return the number of each kind.

    Raises:
        AssertionError: with the position in which the rules and the plain definition differ.
    """
    seen: Counter[str] = Counter()
    for batch in trange(0, positions, BATCH, unit_scale=BATCH, disable=positions <= 10 * BATCH):
        rng = np.random.default_rng([seed, batch])
        compare_batch(rng, min(BATCH, positions - batch), mode, seen)
    return seen


def compare_batch(rng: np.random.Generator, count: int, mode: Mode, seen: Counter[str]) -> None:
    simulator = first_decisions(rng, count, mode)
    advance = programs(GAME, mode).advance
    turns = {b: obvious.read(s) for b, s in enumerate(simulator.states)}
    while turns:
        rows, seats = np.array(list(turns)), simulator.mover[list(turns)]
        actions = np.zeros(len(rows), np.int64)
        for i, b in enumerate(rows):
            results = obvious.results(turns[b])
            legal = list(results)
            assert list(np.flatnonzero(simulator.mask[b])) == legal, GAME.text(simulator.states[b], None)
            seen.update(kinds(turns[b], legal))
            actions[i] = choose(results, rng)
            turns[b] = results[actions[i]]
        states = simulator.states[rows].copy()
        advance(states, actions)
        for b, s, seat, action in zip(rows, states, seats, actions, strict=True):
            check_after(s, turns[b], int(seat), int(action))
        simulator.states[rows] = states
        seen["win"] += int((states["mover"] == OVER).sum())
        turns = {b: turns[b] for b in rows[states["mover"] >= 0]}
        simulator.refresh()


def kinds(turn: obvious.Turn, legal: list[int]) -> list[str]:
    """What a decision is counted as."""
    if turn.returning:
        return ["return"]
    if legal == [obvious.PASS]:
        return ["pass"]
    if turn.first is not None:
        return ["second die"]
    every = [list(obvious.die_moves(turn, die)) for die in range(2 - turn.doubles)]
    found = ["doubles" if turn.doubles else "two numbers"]
    if len(legal) < sum(map(len, every)):
        found.append("the duty forbids some")
        if not all(every):
            found.append("... although one die has no move before the first")
    elif not all(every):
        found.append("one die has no move before the first, none forbidden")
    return found


def choose(results: dict[int, obvious.Turn], rng: np.random.Generator) -> int:
    """A random action, mostly one that pops or wins if there is one."""
    rare = [action for action, then in results.items() if then.returning or obvious.home(then) == 7]
    return int(rng.choice(rare if rare and rng.random() < 0.7 else list(results)))


def check_after(s: Any, turn: obvious.Turn, seat: int, action: int) -> None:
    """Check the state after an action against the model's turn."""
    if obvious.goes_on(turn) and action != obvious.PASS:
        assert (s.phase, s.turn_seat, s.mover) == (Phase.PLACE if turn.returning else Phase.MOVE, seat, seat)
        assert obvious.read(s) == turn
        return
    units = np.zeros((11, 7), np.int8)
    for square, unit in turn.units.items():
        units[square] = unit
    assert (board(s) == seen_from(seat, units)).all()
    if obvious.home(turn) == 7:
        assert (s.mover, s.winner, odds(s)) == (OVER, seat, obvious.odds(turn))
        stake = obvious.odds(turn) / 3 if s.options.scoring else 1
        assert np.allclose(GAME.payoffs(s), (stake, -stake) if seat == 0 else (-stake, stake))
    else:
        assert (s.phase, s.turn_seat, s.first_kind) == (Phase.ROLL, 1 - seat, 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for kind, number in compare(arguments.positions, arguments.seed).most_common():
        print(f"{number:10,}  {kind}")
