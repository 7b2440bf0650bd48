"""The checks with two to four players: they pass a correct game and find planted defects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator
from polytrix.core.state import OVER, ByteArray, FloatArray, IdArray, Record, RecordArray
from polytrix.testing import (
    check_all,
    check_mixture,
    check_no_leak,
    check_perft,
    check_random_play,
    option_combinations,
)
from tests import high
from tests.high import HIGH, NUMBERS, SHOWN

Register = Callable[[Game], Game]

SIZES = [{"players": players} for players in (2, 3, 4)]


def broken(name: str, **defects: Any) -> Game:
    """High with some functions replaced, under another name."""
    return replace(HIGH, name=f"high_{name}", **defects)


# -- the correct game ---------------------------------------------------------------------


def test_every_number_of_players_is_tried() -> None:
    assert option_combinations(HIGH) == [
        *({"players": players, "turning": turning} for players in (2, 3, 4) for turning in (False, True)),
        *({"players": players, "max_decisions": 12} for players in (2, 3, 4)),
    ]


@pytest.mark.slow
def test_all_checks_at_all_tables(register: Register) -> None:
    check_all(register(HIGH))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_counts_by_hand(players: int) -> None:
    """Six numbers for each seat; then two additions with two orders each, or a fold."""
    counts = [6**i for i in range(players + 1)] + [3 * 6**players]
    check_perft(HIGH, counts, {"players": players}, mode=Mode.PLAIN)


# -- defects ------------------------------------------------------------------------------


def paying_payoff(s: Record, out: FloatArray) -> None:
    """Unused seats get payoffs, too."""
    high.payoff(s, out)
    for seat in range(s.num_players, out.shape[0]):
        out[seat] = 1 if seat % 2 else -1


def test_a_payoff_of_an_empty_seat_is_found() -> None:
    game = broken("paying", payoff=paying_payoff)
    with pytest.raises(AssertionError, match=r"payoffs \[.*\]: seat 2 is none of the 2 players"):
        check_random_play(game, {"players": 2}, mode=Mode.PLAIN)
    check_random_play(game, {"players": 4}, mode=Mode.PLAIN)


def test_a_reward_of_an_empty_seat_is_found_side_by_side() -> None:
    with pytest.raises(AssertionError, match="a seat that takes no part has a reward"):
        check_mixture(broken("paying", payoff=paying_payoff), SIZES, mode=Mode.PLAIN)


def peeping_observe(s: Record, seat: int, out: ByteArray) -> None:
    """The fourth seat sees the number of the third."""
    high.observe(s, seat, out)
    if seat == 3 and s.mover != OVER and s.secret[2] >= 0:
        out[SHOWN + NUMBERS * 3 + s.secret[2]] = 1


def test_a_leak_to_the_last_seat_of_the_largest_table_is_found() -> None:
    game = broken("peeping", observe=peeping_observe)
    with pytest.raises(AssertionError, match=r"seat 3, row .*: the observation tells .* shown\[3, \d\]"):
        check_no_leak(game, {"players": 4}, mode=Mode.PLAIN)
    check_no_leak(game, {"players": 3}, mode=Mode.PLAIN)


def lost_apply(s: Record, action: int) -> None:
    """With three players a fourth seat gets a turn."""
    high.apply(s, action)
    if s.num_players == 3 and s.mover == 2 and s.pot > 5:
        s.mover = 3


def test_a_turn_of_an_empty_seat_is_found() -> None:
    game = broken("lost", apply=lost_apply)
    with pytest.raises(AssertionError, match="the mover is 3; there are 3 players"):
        check_random_play(game, {"players": 3}, mode=Mode.PLAIN)


def remembering_greedy(
    observation: ByteArray, ids: IdArray, count: int, work: RecordArray, score: FloatArray
) -> None:
    """Depends on what it left in its scratch states in another game."""
    work[0].turn = (int(work[0].turn) + 1) % 3
    for i in range(count):
        score[i] = ids[i] == work[0].turn


def test_a_greedy_opponent_that_carries_over_between_games_is_found() -> None:
    with pytest.raises(
        AssertionError, match=r"side by side: (row \d+ and .* alone|one thread and three): after"
    ):
        check_mixture(broken("remembering", greedy=remembering_greedy), SIZES, mode=Mode.PLAIN)


def test_rows_that_lose_their_options_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    next_games = Simulator.restart

    def forgetful(self: Simulator, rows: Any = None) -> None:
        if self.num_envs > 1:
            self.game.write_options(self.states, self.options)
        next_games(self, rows)

    monkeypatch.setattr(Simulator, "restart", forgetful)
    with pytest.raises(AssertionError, match="the next game in row 1 is not that of seed"):
        check_mixture(HIGH, SIZES, mode=Mode.PLAIN)


def test_rows_that_are_given_the_options_of_the_first_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Simulator.seed

    def levelling(self: Simulator, seed: int, rows: Any = None) -> None:
        self.game.write_options(self.states, self.options)
        begin(self, seed, rows)

    monkeypatch.setattr(Simulator, "seed", levelling)
    with pytest.raises(AssertionError, match=r"row 1 and {'players': 3} alone: after 0 decisions"):
        check_mixture(HIGH, SIZES, mode=Mode.PLAIN)
