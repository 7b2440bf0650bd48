"""Games of two to four players, side by side."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from polytrix.core.errors import OptionError
from polytrix.core.options import Choice, Integer, Options
from polytrix.core.simulator import Simulator
from polytrix.testing.random_play import play_on
from tests.high import HIGH, SEAT
from tests.toys import SECRET

MIXED: list[dict[str, Any]] = [{"players": 2 + i % 3, "turning": i % 2 == 0} for i in range(12)]


def simulator(options: Any = MIXED, seed: int = 0, **arguments: Any) -> Simulator:
    return Simulator(HIGH, 12, options, seed, **arguments)


# -- number of players --------------------------------------------------------------------


def test_the_option_says_how_many_take_part() -> None:
    assert HIGH.player_counts == (2, 3, 4) and HIGH.max_players == 4
    assert [HIGH.num_players({"players": n}) for n in (2, 3, 4)] == [2, 3, 4]
    assert simulator({"players": 3}).num_players.tolist() == [3] * 12
    assert simulator({}).num_players.tolist() == [2] * 12


def test_without_the_option_all_seats_take_part() -> None:
    assert SECRET.player_counts == (2,) and SECRET.num_players(SECRET.options.defaults) == 2
    assert Simulator(SECRET, 2, seed=0).num_players.tolist() == [2, 2]


@pytest.mark.parametrize(
    "option",
    [
        Choice("players", (0, 2), 2, ""),
        Choice("players", (2, 5), 2, ""),
        Choice("players", ("two", "four"), "two", ""),
        Integer("players", 2, 4, 2, ""),
    ],
)
def test_numbers_of_players_that_a_game_cannot_have(option: Any) -> None:
    options = Options(option)
    with pytest.raises(ValueError, match="'players' must be a Choice among numbers from 1 to 4"):
        replace(HIGH, options=options)


# -- side by side -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [[{}] * 11, [{}] * 13, [{}] * 11 + [None], "players", [("players", 2)] * 12],
    ids=["too few", "too many", "no mapping", "text", "pairs"],
)
def test_options_by_row_that_do_not_fit(options: Any) -> None:
    with pytest.raises(OptionError, match="one mapping for all rows, or a sequence of 12 mappings"):
        simulator(options)


def test_a_wrong_option_of_one_row() -> None:
    with pytest.raises(OptionError, match="option 'players' is 7"):
        simulator([*MIXED[:11], {"players": 7}])


# -- observing ----------------------------------------------------------------------------


def test_only_those_who_take_part_see_anything() -> None:
    sim = simulator()
    observation, mask = sim.view(1)
    assert mask.shape == (12, 3)
    here = observation[:, SEAT : SEAT + 12 : 3]
    assert here.sum(axis=1).tolist() == sim.num_players.tolist()
    assert sim.view(3, [2, 5])[0].shape == (2, HIGH.observations.size)
    for look in (sim.view, sim.redeal):
        with pytest.raises(IndexError, match=r"seats are 2; allowed: 0\.\.1 in row 0, a game of 2 players"):
            look(2)
        with pytest.raises(IndexError, match=r"allowed: 0\.\.2 in row 4, a game of 3 players"):
            look([2, 3], [2, 4])
        with pytest.raises(IndexError, match=r"seats are -1; allowed: 0\.\."):
            look(-1)


def test_the_global_state_has_one_size() -> None:
    sim = simulator()
    everything = sim.global_state().reshape(12, 4, -1)
    for row in range(12):
        players = int(sim.num_players[row])
        for seat in range(players):
            assert (everything[row, seat] == sim.view(seat, [row])[0][0]).all()
        assert not everything[row, players:].any()
    assert (sim.global_state([7, 1]) == sim.global_state()[[7, 1]]).all()


# -- copies -------------------------------------------------------------------------------


def test_a_fork_takes_the_sources_players_and_keeps_them() -> None:
    sim = simulator()
    sim.fork(2, [0, 1], seed=5)
    assert sim.num_players[:3].tolist() == [4, 4, 4]
    sim.restart([0])
    assert sim.options_of(0) == sim.options_of(2)
    assert (sim.states[0].secret >= 0).all()


@pytest.mark.usefixtures("known_toys")
def test_a_pickle_keeps_the_options_of_each_row() -> None:
    sim = simulator(num_threads=2)
    for _ in range(5):
        play_on(sim)
    other = pickle.loads(pickle.dumps(sim))
    assert other == sim and other.options_of(2) == sim.options_of(2) != other.options_of(1)
