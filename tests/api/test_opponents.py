"""Fixed line-ups and pools."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from polytrix.agents import name_of
from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import Pool
from polytrix.arena.play import play_tables, seat_by_seat
from polytrix.core.errors import PolicyError
from polytrix.core.simulator import Simulator
from tests.api.learner_play import first
from tests.networks import save, some_network
from tests.toys import SECRET


def test_pool_never_draws_beyond_its_last_weight():
    extreme = np.array([[0], [(1 << 64) - 1]], np.uint64)
    assert Pool(SECRET, {"random": 1, first: 1, "greedy": 0}).draw(extreme).ravel().tolist() == [0, 1]


def test_a_pool_with_weights_is_drawn_for_each_game():
    """The share is that of the weights."""
    seated: list[int] = []

    def here(observation, mask, rng, *, rows, games):
        seated.extend(zip(rows.tolist(), games.tolist(), strict=True))
        return first(observation, mask, rng)

    envs = gymnasium.make_vec("polytrix/quatrix-v0", 64, opponent={here: 0.3, "random": 0.1}, max_decisions=10)
    envs.reset(seed=3)
    begun = np.ones(64, int)
    for _ in range(60):
        *_, terminated, truncated, _ = envs.step(envs.unwrapped._batch.mask().argmax(axis=1))
        begun += terminated | truncated
    share = len(set(seated)) / begun.sum()
    assert begun.sum() > 500 and abs(share - 0.75) < 4 * np.sqrt(0.75 * 0.25 / begun.sum())


@pytest.mark.parametrize(
    ("pool", "message"),
    [
        *((pool, "list of at least one policy") for pool in ([], {}, "random", None)),
        *(({"random": 1, "greedy": each}, "numbers, none negative") for each in (-1, float("nan"))),
        ({"random": 0, "greedy": 0}, "numbers, none negative, not all zero"),
        (["random", "random"], "called random, random; give each a `name`"),
    ],
)
def test_pools_that_are_refused(pool, message):
    with pytest.raises((PolicyError, ValueError), match=message):
        Pool(SECRET, pool)


def test_networks_of_the_same_name_are_called_by_their_paths(tmp_path):
    paths = [tmp_path / name / "one" / "policy.npz" for name in ("here", "there")]
    for path in paths:
        save(path, some_network(SECRET))
    assert [name_of(policy) for policy in Pool(SECRET, paths).policies] == [str(path) for path in paths]
    assert [name_of(policy) for policy in Pool(SECRET, {paths[0]: 1, "random": 1}).policies] == [
        "one",
        "random",
    ]


class Asking:
    """Notes what it is told."""

    def __init__(self):
        self.told = []

    def __call__(self, observation, mask, rng, rows, *, seats, games):
        self.told += zip(rows.tolist(), seats.tolist(), games.tolist(), strict=True)
        return first(observation, mask, rng)


def test_a_callable_is_told_what_it_asks_for():
    """Of each decision: the row, the seat that moves, and which game of the row it is."""
    asking = Asking()
    games = LearnerBatch(Simulator(SECRET, 3), Pool(SECRET, [asking]), seat=0, seed=7)
    for number in range(3):
        asking.told.clear()
        while not games.over.all():
            live = np.flatnonzero(~games.over)
            games.step(games.mask()[live].argmax(axis=1), live)
        assert {row for row, _, _ in asking.told} == {0, 1, 2}
        assert {(seat, game) for _, seat, game in asking.told} == {(1, number)}
        games.restart()


def test_a_callable_with_a_default_need_not_be_told():
    """Outside of environments nobody knows the number of the game."""

    def either(observation, mask, rng, seats, games=None):
        assert seats.shape == mask.shape[:1] and games is None
        return first(observation, mask, rng)

    options, rng = SECRET.options.defaults, np.random.default_rng(0)
    games = play_tables(SECRET, options, (either, first), seat_by_seat(2), 0, 5, rng)
    assert games.payoffs.shape == (5, 2, 2)
