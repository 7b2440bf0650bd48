"""The rules against the obvious model, through whole turns from thousands of random positions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.compile.programs import programs
from polytrix.core.state import OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.ending import odds
from polytrix.games.quatrix.state import Phase, board

from . import obvious
from .random_positions import first_decisions, seen_from

POSITIONS = 5_000
PLAIN_POSITIONS = 150


def as_array(turn: obvious.Turn) -> np.ndarray:
    units = np.zeros((11, 7), np.int8)
    for square, unit in turn.units.items():
        units[square] = unit
    return units


def check_after(s: Any, turn: obvious.Turn, seat: int, action: int) -> None:
    """Check the state after an action against the model's turn."""
    if obvious.goes_on(turn) and action != obvious.PASS:
        assert (s.phase, s.turn_seat, s.mover) == (Phase.PLACE if turn.returning else Phase.MOVE, seat, seat)
        assert obvious.read(s) == turn
        return
    assert (board(s) == seen_from(seat, as_array(turn))).all()
    if obvious.home(turn) == 7:
        assert (s.mover, s.winner, odds(s)) == (OVER, seat, obvious.odds(turn))
    else:
        assert (s.phase, s.turn_seat, s.first_kind) == (Phase.ROLL, 1 - seat, 0)


def what_is_tested(turn: obvious.Turn, legal: list[int]) -> str:
    """The rule that this decision tests."""
    if turn.returning:
        return "return"
    if legal == [obvious.PASS]:
        return "pass"
    if turn.first is not None:
        return "second die"
    every = {move.id for die in range(2 - turn.doubles) for move in obvious.die_moves(turn, die)}
    return "duty" if len(legal) < len(every) else "first die"


def choose(results: dict[int, obvious.Turn], rng: np.random.Generator) -> int:
    """A random action, mostly one that pops or wins if there is one."""
    rare = [action for action, then in results.items() if then.returning or obvious.home(then) == 7]
    return int(rng.choice(rare if rare and rng.random() < 0.7 else list(results)))


@pytest.mark.clause(
    "QX-10", "QX-12", "QX-15", "QX-16", "QX-20", "QX-21", "QX-31", "QX-44", "QX-50", "QX-52", "QX-60",
    "QX-62", "QX-70", "QX-71", "QX-72", "QX-80", "QX-82",
)  # fmt: skip
@pytest.mark.parametrize(
    ("mode", "positions"),
    [(Mode.COMPILED, POSITIONS), (Mode.PLAIN, PLAIN_POSITIONS)],
    ids=["compiled", "plain"],
)
def test_mask_and_moves_are_those_of_an_exhaustive_search(mode: Mode, positions: int) -> None:
    rng = np.random.default_rng(20)
    simulator = first_decisions(rng, positions, mode)
    advance = programs(GAME, mode).advance
    tested: Counter[str] = Counter()
    turns = {b: obvious.read(s) for b, s in enumerate(simulator.states)}
    while turns:
        rows, seats = np.array(list(turns)), simulator.mover[list(turns)]
        actions = np.zeros(len(rows), np.int64)
        for i, b in enumerate(rows):
            results = obvious.results(turns[b])
            legal = list(results)
            assert list(np.flatnonzero(simulator.mask[b])) == legal, GAME.text(simulator.states[b], None)
            tested[what_is_tested(turns[b], legal)] += 1
            actions[i] = choose(results, rng)
            turns[b] = results[actions[i]]
        states = simulator.states[rows].copy()
        advance(states, actions)
        for b, s, seat, action in zip(rows, states, seats, actions, strict=True):
            check_after(s, turns[b], int(seat), int(action))
        simulator.states[rows] = states
        tested["win"] += int((states["mover"] == OVER).sum())
        turns = {b: turns[b] for b in rows[states["mover"] >= 0]}
        simulator.refresh()
    floors = {"duty": 0.02, "pass": 0.005, "return": 0.02, "second die": 0.4, "win": 0.003}
    for rule, floor in floors.items():
        assert tested[rule] >= int(floor * positions), f"too few tests of {rule}: {tested}"
