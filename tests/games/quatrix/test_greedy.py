"""The greedy policy, against a slow and obvious evaluation."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.greedy import HABITS
from tests.games.ratings import rated

from . import obvious
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
    simulator = decisions(np.random.default_rng(3), 300)
    wins = 0
    for b, s in enumerate(simulator.states):
        results = obvious.results(obvious.read(s))
        ids = np.array(list(results), np.int16)
        found = dict(zip(results, rated(GAME, "greedy", simulator.observation[b], ids), strict=True))
        winning = {action for action, turn in results.items() if obvious.home(turn) == 7}
        others = [action for action in results if action not in winning]
        gained = [found[action] - found[others[0]] for action in others]
        assert gained == [worth(results[action]) - worth(results[others[0]]) for action in others]
        if winning:
            wins += 1
            assert min(found[action] for action in winning) > max(found[action] for action in others)
    assert wins >= 2


# -- habits -------------------------------------------------------------------------------


def preference(habit: str, turn: obvious.Turn, action: int) -> int:
    """What a habit prefers among die moves."""
    row, _ = square = divmod(action % 560 // 4 % 70, 7)
    unit = turn.units.get(square)
    if habit in ("rushes", "unseen-stragglers"):
        return row if habit == "rushes" else -row
    if habit == "unseen-sideways":
        return int(action % 4 in (2, 3))
    if habit == "unseen-rings-first":
        return -(unit == obvious.DISC)
    if action >= 560:
        return 0
    if habit == "keeps-pips":
        return -(unit == obvious.PIP)
    landing = turn.units.get(obvious.along(square, action % 4, turn.dice[action // 280]))
    pops = unit == obvious.DISC and landing == obvious.ENEMY_RING
    return {"never-pops": -1, "always-pops": 1}.get(habit, 0) * pops


def worth_to(habit: str, turn: obvious.Turn) -> int:
    """The worth of a position without the part that a habit leaves out."""
    if habit == "reckless":
        return worth(turn) + danger(turn)
    if habit == "ignores-enemy":
        return side({square: unit for square, unit in turn.units.items() if unit <= 3}, turn.depth) - danger(
            turn
        )
    return worth(turn)


@pytest.mark.clause("QX-60")
@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_is_what_its_name_says_and_else_greedy(habit: str) -> None:
    simulator = decisions(np.random.default_rng(3), 150)
    differing = 0
    for b, s in enumerate(simulator.states):
        turn, results = obvious.read(s), obvious.results(obvious.read(s))
        ids = np.array(list(results), np.int16)
        if any(obvious.home(after) == 7 for after in results.values()):
            continue
        score = np.array(rated(GAME, habit, simulator.observation[b], ids))
        found = {*ids[score == score.max()].tolist()}
        order = {
            action: (preference(habit, turn, action) if action < 840 else 0, worth_to(habit, after))
            for action, after in results.items()
        }
        like_greedy = {action: worth(after) for action, after in results.items()}
        if habit == "contrary":
            order = {action: (0, -value) for action, value in like_greedy.items()}
        assert found == {action for action, value in order.items() if value == max(order.values())}
        differing += found != {a for a, value in like_greedy.items() if value == max(like_greedy.values())}
    assert differing > 5
