"""The learner's transitions, compared with games stepped one decision at a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import polytrix
from polytrix.api.shared.learner import LearnerBatch
from polytrix.api.shared.opponents import Pool
from polytrix.api.shared.seating import LEARNER
from polytrix.core.errors import GameOverError, IllegalActionError, OptionError, PolicyError
from polytrix.core.simulator import Simulator
from tests.api.last import LAST
from tests.api.learner_play import batch, everything, first, history, last, same, wild
from tests.toys import CALL, NUMBER, SECRET

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


def test_the_loser_is_told_although_the_opponent_moves_last():
    games = batch(rows=64, opponent=last, seat="rotate")
    _, _, seat, reward, terminated, _, final = history(games, 20)
    called_by_opponent = 0
    for row, step in np.argwhere(terminated.T):
        own = final[step, row, NUMBER : NUMBER + 6].argmax()
        other = final[step, row, 9:15].argmax()  # revealed once the game is over
        if final[step, row, 7]:  # the opponent's call: the learner never calls
            called_by_opponent += 1
            assert reward[step, row] == np.sign(own - other)
        else:
            assert reward[step, row] == 0
    assert called_by_opponent > 100
    for payoff in (-1, 1):
        assert {0, 1} == set(seat[(reward == payoff) & terminated])


def test_three_seats_each_with_its_own_opponent():
    """From a pile of 12, the seats after the learner take 1 and 2."""
    takes_one, takes_two = first, last
    games = batch(LAST, opponent=[takes_one, takes_two], seat=1, options={"pile": 12})
    left = []
    for _ in range(3):
        left.append(int(games.observation()[0, 0]))
        reward, terminated, _ = games.step([0])
    assert left == [10, 6, 2]  # seat 0 took 2; then 1 (learner), 1 (seat 2), 2 (seat 0); ...
    assert terminated[0]
    assert reward[0] == -1  # seat 2 took the last one


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


def test_shaping_needs_a_potential():
    with pytest.raises(OptionError, match="has no potential"):
        batch(shaping=0.1)


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
    """From a pile of 3, two opponents before the learner may take everything."""
    games = batch(LAST, 50, "random", seat=2, options={"pile": 3})
    for _ in range(10):
        assert (games.observation()[:, 1] == 1).all()
        assert games.step(np.zeros(50, int)).terminated.all()  # one was left
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


def test_threads_change_nothing():
    one = history(batch(rows=300, opponent="greedy", threads=1), 12)
    three = history(batch(rows=300, opponent="greedy", threads=3), 12)
    assert same(one, three)


def test_a_policy_gives_the_same_games_inside_the_loop_and_outside():
    """A heuristic without ties, as a built-in policy and as a callable."""

    def reckless(observation, mask, rng):
        high = observation[:, 4] + observation[:, 5] > 0
        return np.where((mask[:, CALL] == 1) & high, CALL, 2)

    game = replace(SECRET, name="reckless", greedy=reckless_rating)
    inside = history(batch(game, 40, "greedy", seat="rotate"), 25)
    outside = history(batch(game, 40, reckless, seat="rotate"), 25)
    assert same(inside, outside)
    assert inside[4].sum() > 40


def reckless_rating(observation, ids, count, work, score):
    high = observation[NUMBER + 4] + observation[NUMBER + 5]
    for i in range(count):
        score[i] = 20 * high - 10 if ids[i] == CALL else ids[i]


@pytest.mark.parametrize("rows", [None, np.array([0, 2, 3])])
@pytest.mark.parametrize("seeds", [[], [5], [5, 6], [5, 6, 7, 8, 9]])
def test_another_number_of_seeds_than_of_rows_changes_nothing(seeds, rows):
    games = batch(rows=4, opponent="random", seed=0)
    before = everything(games)
    expected = 4 if rows is None else 3
    with pytest.raises(ValueError, match=f"{len(seeds)} seeds are given; expected {expected}, one per row"):
        games.seed(seeds, rows)
    assert everything(games) == before


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
