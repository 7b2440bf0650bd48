"""The learner's transitions, compared with games stepped one decision at a time."""

from __future__ import annotations

import numpy as np
import pytest

import polytrix
from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import LEARNER, Pool
from polytrix.core.errors import GameOverError, IllegalActionError, OptionError, PolicyError
from polytrix.core.simulator import Simulator
from tests.api.learner_play import batch, everything, first, history, last, same, wild
from tests.high import HIGH, SEAT
from tests.toys import CALL, SECRET

QUATRIX = polytrix.find("quatrix")


# -- transitions --------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_transitions_are_those_of_a_game_played_by_hand(seat):
    """`seat` plays its first legal action, the other seat its last; the simulator is stepped directly."""
    games = batch(opponent=last, seat=seat, seed=11)
    table = Simulator(SECRET, 1, seed=11)
    for _ in range(40):
        while table.mover[0] not in (seat, -2):
            table.step(last(None, table.mask, None))
        assert (games.observation() == table.observation).all()
        assert (games.mask() == table.mask).all()
        action = first(None, table.mask, None)
        table.step(action)
        while table.mover[0] not in (seat, -2):
            table.step(last(None, table.mask, None))
        reward, terminated, truncated = games.step(action)
        assert reward[0] == table.reward[0, seat]
        assert terminated[0] == table.over[0]
        assert not truncated[0]
        assert (games.observation() == table.view(seat)[0]).all()
        if terminated[0]:
            assert not games.mask().any()
            games.restart()
            table.restart()


# -- shaping --------------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_shaping_compares_the_learners_own_decisions(gamma):
    games = batch(QUATRIX, 6, "random", seat="rotate", shaping=0.5, gamma=gamma, options={"max_decisions": 40})
    rng, rows = np.random.default_rng(1), np.arange(6)
    checked = 0
    for _ in range(60):
        before = games.simulator.potential()[rows, games.seat]
        reward, terminated, truncated = games.step(wild(None, games.mask(), rng))
        after = games.simulator.potential()[rows, games.seat]
        over = terminated | truncated
        assert (after[over] == 0).all()
        np.testing.assert_allclose(
            reward, 0.5 * (gamma * after - before) + games.simulator.reward[rows, games.seat], atol=1e-6
        )
        checked += np.count_nonzero(reward)
        games.restart(np.flatnonzero(over))
    assert checked > 100


# -- seats and opponents ----------------------------------------------------------------------


def test_rotating_seats_alternate_and_are_even_over_the_rows():
    games = batch(rows=6, seat="rotate", seed=5)
    assert games.seat.tolist() == [1, 0, 1, 0, 1, 0]
    games.restart(np.array([0, 1, 2]))
    assert games.seat.tolist() == [0, 1, 0, 0, 1, 0]
    games.seed(5)
    assert games.seat.tolist() == [1, 0, 1, 0, 1, 0]


def test_random_seats_are_even():
    games = batch(rows=2000, seat="random")
    assert abs(games.seat.sum() - 1000) < 4 * np.sqrt(500)
    before = games.seat.copy()
    games.restart()
    assert 850 < np.count_nonzero(before == games.seat) < 1150


def test_pool_is_drawn_anew_for_each_game_and_kept_within():
    games = LearnerBatch(Simulator(SECRET, 2000), Pool(SECRET, [first, "random", "greedy"]), seat=0, seed=0)
    drawn = games.player[:, 1].copy()
    assert (games.player[:, 0] == LEARNER).all()
    assert (np.bincount(drawn) > 550).all()
    games.step(first(None, games.mask(), None))
    live = ~games.over
    assert (games.player[live, 1] == drawn[live]).all()
    games.restart()
    assert 500 < np.count_nonzero(games.player[:, 1] == drawn) < 830


def test_a_game_without_a_decision_gives_way_to_the_next():
    """The two before the learner may fold and leave it alone."""
    games = batch(HIGH, 50, "random", seat=2, options={"players": 3})
    for _ in range(10):
        assert games.observation()[:, SEAT + 2].all()  # it is to move
        games.restart()


def test_games_that_never_give_a_decision():
    with pytest.raises(OptionError, match=r"learner in seat 1 .* max_decisions is 1: raise it"):
        batch(seat=1, options={"max_decisions": 1})


@pytest.mark.parametrize("seat", [2, -1, "first", 0.5, True, None])
def test_seats_that_are_none(seat):
    with pytest.raises(OptionError, match=r"allowed: 0\.\.1, 'random' or 'rotate'"):
        batch(seat=seat)


# -- independence of the batch ----------------------------------------------------------------


@pytest.mark.parametrize("opponent", ["random", "greedy", last])
@pytest.mark.parametrize("seat", ["random", "rotate"])
def test_a_row_plays_the_same_games_in_any_batch(opponent, seat):
    together = history(batch(rows=5, opponent=opponent, seat=seat, seed=20), 25)
    for row in range(5):
        alone = history(batch(rows=1, opponent=opponent, seat=seat, seed=20 + row), 25)
        assert same([column[:, row : row + 1] for column in together], alone)


# -- invalid actions ----------------------------------------------------------------------------


def test_an_illegal_action_can_forfeit():
    games = batch(rows=4, seat=0, illegal_action="forfeit")
    other = batch(rows=4, seat=0)
    before = everything(games)
    for nothing in (99, -5):  # an action number out of range is an error, not a forfeit
        with pytest.raises(IllegalActionError, match="does not exist"):
            games.step([0, CALL, nothing, 0])
    assert everything(games) == before
    reward, terminated, truncated = games.step([0, CALL, CALL, CALL])
    assert reward.tolist() == [0, -1, -1, -1]
    assert terminated.tolist() == [False, True, True, True]
    assert not truncated.any()
    assert not games.mask()[1:].any()
    assert games.payoff(np.array([1, 2])).tolist() == [-1, -1]
    other.step([0], np.array([0]))
    assert (games.observation() == other.observation()).all()
    with pytest.raises(GameOverError, match="row 1 is over"):
        games.step([0, 0, 0, 0])
    games.restart(np.array([1, 2, 3]))
    assert not games.over.any()
    assert games.mask().any(axis=1).all()


def test_a_forfeit_gives_the_potential_back():
    games = batch(QUATRIX, 1, first, seat=0, shaping=2.0, illegal_action="forfeit")
    total = 0.0
    for _ in range(8):
        total += games.step(last(None, games.mask(), None)).reward[0]
    held = float(games.simulator.potential()[0, 0])
    assert held != 0
    assert total == pytest.approx(2 * held, abs=1e-5)
    illegal = int(np.flatnonzero(games.mask()[0] == 0)[0])
    assert games.step([illegal]).reward[0] == pytest.approx(-1 - 2 * held, abs=1e-5)


def test_a_policy_that_fails_is_named_and_its_game_must_be_reset():
    def broken(observation, mask, rng):
        return np.full(len(mask), 77)

    games = batch(opponent=broken, seat=0)
    with pytest.raises(PolicyError, match="'broken' chose action 77"):
        games.step([0])
    with pytest.raises(GameOverError, match="opponent's failed answer"):
        games.step([0])
    games.restart()
    assert games.mask().any()


def test_policies_may_write_on_what_they_are_given():
    def scribbler(observation, mask, rng):
        chosen = mask.argmax(axis=1)
        observation[:] = 9
        mask[:] = 1
        return chosen

    assert same(history(batch(rows=5, opponent=scribbler), 10), history(batch(rows=5, opponent=first), 10))
