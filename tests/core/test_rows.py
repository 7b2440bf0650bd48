"""Steps from rows of bytes to other rows: the same games as a simulator's, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import opponents_of
from polytrix.core import drivers
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.rows import new_row, step_rows
from polytrix.core.simulator import Simulator
from polytrix.core.transition import BELIEVE, LOOK, row_dtype
from tests.high import HIGH
from tests.toys import SECRET


class Rows:
    """Games in rows, begun from seeds; `step` replaces the arrays."""

    def __init__(self, game: Game, seeds: Sequence[int], options: Any = None, **fields: Any) -> None:
        self.game = game
        rows = np.repeat(new_row(game, game.options.validate(options or {})), len(seeds))
        for name, value in fields.items():
            rows[name] = value
        rows["game"]["generator"]["key"] = seeds
        rows["chooser"]["key"] = np.array(seeds, np.uint64) | np.uint64(1 << 63)
        self.row = rows.view(np.uint8).reshape(len(seeds), -1)
        self.step(np.full(len(seeds), drivers.BEGIN))

    def step(self, actions: Any) -> None:
        before = self.row.copy()
        made = step_rows(self.game, self.row, np.asarray(actions, np.int32), mode=Mode.PLAIN)
        np.testing.assert_array_equal(self.row, before)
        (
            self.row, self.observation, self.mask, self.legal_ids, self.num_legal, self.mover, self.reward,
            self.terminated, self.truncated,
        ) = made  # fmt: skip

    @property
    def states(self) -> np.ndarray:
        return self.row.view(row_dtype(self.game))[:, 0]["game"]


@pytest.mark.parametrize("game", [HIGH, SECRET], ids=lambda game: game.name)
def test_they_are_the_simulators_games(game: Game) -> None:
    rows = Rows(game, range(7, 15), goes_on=1)
    simulator = Simulator(game, 8, seed=7, mode=Mode.PLAIN)
    ended = 0
    for _ in range(40):
        np.testing.assert_array_equal(rows.observation, simulator.observation)
        np.testing.assert_array_equal(rows.mask, simulator.mask)
        np.testing.assert_array_equal(rows.mover, simulator.mover)
        np.testing.assert_array_equal(rows.num_legal, simulator.num_legal)
        for row, count in enumerate(rows.num_legal):
            np.testing.assert_array_equal(rows.legal_ids[row, :count], np.flatnonzero(simulator.mask[row]))
        actions = simulator.random_actions()
        rows.step(actions)
        simulator.step(actions)
        np.testing.assert_array_equal(rows.terminated, simulator.terminated)
        np.testing.assert_array_equal(rows.truncated, simulator.truncated)
        np.testing.assert_array_equal(rows.reward, simulator.reward)
        ended += int(simulator.over.sum())
        simulator.restart(np.flatnonzero(simulator.over))
        assert rows.states.tobytes() == simulator.states.tobytes()
    assert ended > 8


def test_players_rotate_and_rewards_are_shaped_as_in_the_learners_games() -> None:
    policy = np.full(HIGH.max_players, drivers.RANDOM)
    policy[0] = drivers.EXTERNAL
    rows = Rows(HIGH, range(20, 32), goes_on=1, rotates=1, shaping=0.5, policy=policy)
    simulator = Simulator(HIGH, 12, mode=Mode.PLAIN)
    others = opponents_of(HIGH, "random", HIGH.max_players)
    batch = LearnerBatch(simulator, others, seat="rotate", seed=20, shaping=0.5)
    rng, paid = np.random.default_rng(1), 0.0
    for _ in range(40):
        np.testing.assert_array_equal(rows.observation, batch.observation())
        np.testing.assert_array_equal(rows.mover, batch.seat)
        seat = rows.mover.copy()
        actions = [rng.choice(np.flatnonzero(mask)) for mask in batch.mask()]
        rows.step(actions)
        outcome = batch.step(actions)
        np.testing.assert_allclose(rows.reward[np.arange(12), seat], outcome.reward, atol=1e-6)
        np.testing.assert_array_equal(rows.terminated, outcome.terminated)
        batch.restart(np.flatnonzero(batch.over))
        paid += float(np.abs(outcome.reward).sum())
    assert paid > 0


@pytest.mark.parametrize("action", [-1000, HIGH.actions.size, 999])
def test_an_illegal_action_ends_the_game_and_a_finished_one_stays(action: int) -> None:
    rows = Rows(HIGH, [3])
    seat = int(rows.mover[0])
    rows.step([action])
    np.testing.assert_array_equal(rows.reward[0], np.where(np.arange(HIGH.max_players) == seat, -1.0, 0.0))
    assert rows.terminated[0] and not rows.truncated[0] and rows.mask[0].all() and rows.num_legal[0] == 1
    row = rows.row.copy()
    for action in (0, LOOK, BELIEVE):
        rows.step([action])
        np.testing.assert_array_equal(rows.row, row)
        assert rows.terminated[0] and not rows.reward.any()


def test_a_game_that_a_limit_ended_stays() -> None:
    rows = Rows(HIGH, [3], {"max_decisions": 2})
    while not rows.truncated[0]:
        rows.step(rows.legal_ids[:, 0])
    row = rows.row.copy()
    rows.step([0])
    np.testing.assert_array_equal(rows.row, row)
    assert rows.truncated[0] and not rows.terminated[0] and rows.mask[0].all() and not rows.reward.any()


def test_to_look_changes_nothing_and_to_believe_only_what_the_mover_cannot_see() -> None:
    rows = Rows(SECRET, range(32))
    row, seen = rows.row.copy(), rows.observation.copy()
    rows.step(np.full(32, LOOK))
    np.testing.assert_array_equal(rows.row, row)
    rows.step(np.full(32, BELIEVE))
    np.testing.assert_array_equal(rows.observation, seen)
    position = slice(16, SECRET.state.itemsize)  # after the generator
    assert (rows.row[:, position] != row[:, position]).any()
