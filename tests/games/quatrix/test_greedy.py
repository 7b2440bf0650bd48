"""The greedy policy, against a slow and obvious evaluation."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.drivers import GREEDY, RANDOM
from polytrix.core.simulator import Simulator
from polytrix.core.state import new_records
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.greedy import reconstruct

from . import obvious
from .play import Position, set_board
from .positions import listed
from .random_positions import decisions


def side(units: dict[tuple[int, int], int], depth: int) -> int:
    """The value of one colour's units, given in its own view as 1, 2, 3."""
    z = 10 - depth
    total = 0
    rings = [square for square, unit in units.items() if unit == obvious.RING]
    for (row, column), unit in units.items():
        r = min(row, z)
        if unit == obvious.PIP:
            total += 20 * r + 15 + (25 if r == z else 0)
        else:
            total += 10 * r
        if unit == obvious.DISC and rings:
            total -= 2 * min(abs(row - y) + abs(column - x) for y, x in rings)
    return total


def danger(turn: obvious.Turn) -> int:
    """The danger to the mover's single rings."""
    discs = [square for square, unit in turn.units.items() if unit == obvious.ENEMY_DISC]
    total = 0
    for (row, column), unit in turn.units.items():
        in_line = any(
            (y == row and abs(x - column) <= 6) or (x == column and abs(y - row) <= 6) for y, x in discs
        )
        if unit == obvious.RING and row > 0 and in_line:
            total += 3 * min(row, 10 - turn.depth)
    return total


def worth(turn: obvious.Turn) -> int:
    own = {square: unit for square, unit in turn.units.items() if unit <= 3}
    enemy = {(10 - y, 6 - x): unit - 3 for (y, x), unit in turn.units.items() if unit > 3}
    return side(own, turn.depth) - side(enemy, turn.depth) - danger(turn)


def test_ratings_rank_the_actions_as_the_slow_evaluation_does() -> None:
    simulator = decisions(np.random.default_rng(12), 300)
    work = new_records(2, GAME.state)
    score = np.zeros(GAME.max_legal, np.float32)
    wins = 0
    for b, s in enumerate(simulator.states):
        results = obvious.results(obvious.read(s))
        ids = np.array(list(results), np.int16)
        GAME.greedy(simulator.observation[b], ids, len(ids), work, score)
        found = dict(zip(results, score[: len(ids)].tolist(), strict=True))
        winning = {action for action, turn in results.items() if obvious.home(turn) == 7}
        others = [action for action in results if action not in winning]
        gained = [found[action] - found[others[0]] for action in others]
        assert gained == [worth(results[action]) - worth(results[others[0]]) for action in others]
        if winning:
            wins += 1
            assert min(found[action] for action in winning) > max(found[action] for action in others)
    assert wins >= 2


@pytest.mark.parametrize(("roll", "move"), [("6-5", "Rd1-d6"), ("2-1", "Rd1-d3"), ("6-6", "Pc1-c7")])
def test_the_position_is_known_from_its_observation(roll: str, move: str) -> None:
    """The record may hold any state before."""
    table = Position().roll(f"red {roll}")
    work = new_records(1, GAME.state)[0]
    for moves in ([], [move]):
        s, seen = table.play(*moves).state, np.zeros(GAME.observations.size, np.int8)
        GAME.observe(s, 0, seen)
        reconstruct(seen, work)
        for field in ("ring", "disc", "enemy_ring", "enemy_disc", "dice", "used", "first_kind", "first_to"):
            assert (work[field] == s[field]).all(), field


# A single piece is worth 10 a row, at most 8 rows at depth 2; a pip 20 a row and 15, and 25 more at home.
BY_HAND = [
    ("red:Rd4", "red 3-1", {"Rd4-d7": 60, "Rd4-d1": 0, "Rd4-a4": 30, "Rd4-d5": 40}),
    ("blue:Rd8", "blue 3-1", {"Rd8-d5": 60, "Rd8-d11": 0, "Rd8-a8": 30, "Rd8-d7": 40}),
    ("red:Rd9", "red 2-1", {"Rd9-d10": 80, "Rd9-b9": 80, "Rd9-d7": 60}),
    ("red:Pd8", "red 1-1", {"Pd8-d9": 160 + 15 + 25, "Pd8-d7": 120 + 15, "Pd8-c8": 140 + 15}),
    # apart they are worth less, and 2 for each step from a single disc to the nearest single ring
    ("red:Pd8", "red 2-1", {"Rd8-d9": 80 + 70 - 2, "Rd8-d10": 80 + 70 - 4, "Rd8-b8": 70 + 70 - 4}),
    ("red:Rd4,Dg2", "red 3-1", {"Dg2-g3": 30 + 20 - 2 * (1 + 3), "Rd4-d7": 60 + 10 - 2 * (5 + 3)}),
    ("red:Rd4,Ra1,Dg2", "red 3-1", {"Ra1-b1": 30 + 10 - 2 * (2 + 3), "Rd4-a4": 30 + 10 - 2 * (1 + 6)}),
    ("red:Rd5,Dd4", "red 3-1", {"Dd4+d5": 80 + 15, "Rd5+d4": 60 + 15}),
    # enemy units count against it: a disc on its own row 4, less its distance to its ring
    ("red:Rd4 blue:Da7,Ra8", "red 3-1", {"Rd4-d5": 40 - (40 + 30 - 2), "Rd4-a4": 30 - (40 + 30 - 2) - 3 * 3}),
    # 3 a row for a single ring in line with a disc of the enemy's, at most 6 away
    ("red:Rd4 blue:Da7", "red 3-1", {"Rd4-d7": 60 - 40 - 3 * 6, "Rd4-d5": 40 - 40, "Rd4-a4": 30 - 40 - 3 * 3}),
    ("red:Rd4 blue:Dd11", "red 3-1", {"Rd4-d5": 40 - 3 * 4, "Rd4-d3": 20, "Rd4-d1": 0}),
    ("red:Rd7 blue:Dd2", "red 3-1", {"Rd7-d8": 70 - 80 - 3 * 7, "Rd7-d10": 80 - 80}),
    ("red:Pd4 blue:Pa7", "red 3-3", {"Pd4-d7": 120 + 15 - (80 + 15)}),
    # popping takes the enemy's four rows, and wherever the ring returns it is worth nothing
    ("red:Dd4 blue:Rd7", "red 3-1", {"Dd4xd7": 60, "Dd4-d5": 40 - 40}),
    ("red:Pa10,Pb10,Pc10,Pd10,Pe10,Pf10,Rg10,Dg5", "red 6-5",
     {"Dg5+g10#": 1_000_000, "Dg5-b5": 6 * 200 + 80 + 40 - 2 * (5 + 5)}),
]  # fmt: skip


@pytest.mark.parametrize(("units", "roll", "expected"), BY_HAND)
def test_ratings_by_hand(units: str, roll: str, expected: dict[str, int]) -> None:
    table = Position()
    set_board(table.state, listed(units))
    found = ratings(table.roll(roll))
    assert {action: found[action] for action in expected} == expected


def ratings(table: Position) -> dict[str, float]:
    """The rating of each legal action."""
    names = sorted(table.legal, key=table.number)
    ids = np.array([table.number(name) for name in names], np.int16)
    score = np.zeros(GAME.max_legal, np.float32)
    GAME.greedy(table.simulator.observation[0], ids, len(ids), new_records(2, GAME.state), score)
    return dict(zip(names, score[: len(ids)].tolist(), strict=True))


def test_it_beats_random_play_from_both_seats() -> None:
    simulator = Simulator(GAME, 40, {"max_decisions": 2000}, seed=0)
    simulator.policy[:20] = GREEDY, RANDOM
    simulator.policy[20:] = RANDOM, GREEDY
    simulator.restart()
    assert simulator.over.all()
    won = np.concatenate([simulator.reward[:20, 0], simulator.reward[20:, 1]])
    assert (won == 1).sum() >= 38
