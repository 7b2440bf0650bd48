"""The invariants hold in play and notice broken states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.state import Phase
from polytrix.testing import check_invariants, check_random_play

from .play import bid, dealt


@pytest.mark.clause("PM-02", "PM-25", "PM-37", "PM-62", "PM-81")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_in_play(players: int) -> None:
    for reverse in ("known", "drawn"):
        options = {"players": players, "reverse": reverse}
        assert check_random_play(GAME, options, 200, whole_games=30, seed=players).terminated > 20


def state() -> Any:
    """Before a move, with markers in the Matrix."""
    simulator = Simulator(GAME, options={"players": 3}, seed=4)
    while not (
        simulator.states[0].turns > 20 and simulator.states[0].phase == 4 and simulator.states[0].marker.any()
    ):
        simulator.step(simulator.random_actions())
    return simulator.states[0].copy()


def lose_a_marker(s: Any) -> None:
    s.hand[0] -= 1


def seat_another(s: Any) -> None:
    s.credits[3] = 1


def share_a_node(s: Any) -> None:
    owner = next(seat for seat in range(3) if s.marker[seat].any())
    other = (owner + 1) % 3
    s.marker[other] = s.marker[owner]
    s.hand[other], s.discarded[other] = s.hand[owner], s.discarded[owner]


def stack_runners(s: Any) -> None:
    s.runner[0] = s.runner[1]


def black_out_beyond(s: Any) -> None:
    s.black[1] |= 1 << 47


def repeat_a_face(s: Any) -> None:
    s.up[0] = s.up[1]


def remove_a_tile(s: Any) -> None:
    s.unseen[0] |= 1 << int(s.up[0]) if s.up[0] < 50 else 0
    s.unseen[1] |= 1 << int(s.up[0]) - 50 if s.up[0] >= 50 else 0
    s.up[0] = -1


def borrow(s: Any) -> None:
    s.credits[1] = -1


def print_credits(s: Any) -> None:
    s.credits[1] = 100 * (s.decisions + 1)


def take_a_bid_back(s: Any) -> None:
    s.bid[2] = -1


def outbid(s: Any) -> None:
    s.bid[:3], s.first = [1, 2, 3], 0


def skip_a_turn(s: Any) -> None:
    s.turns += 2


def play_out_of_turn(s: Any) -> None:
    s.active = s.mover = (s.active + 1) % 3


def ask_nothing(s: Any) -> None:
    s.choices[0] = 1


def wait_for_nobody(s: Any) -> None:
    s.mover, s.phase = CHANCE, Phase.EFFECT


def stop(s: Any) -> None:
    s.mover = OVER


def cut_off_too_early(s: Any) -> None:
    s.mover, s.truncated = OVER, 1


def throw_a_seven(s: Any) -> None:
    s.dice[0] = 7


def run_further(s: Any) -> None:
    s.movement += 7


def name_a_thief(s: Any) -> None:
    s.thief = 1


def leave_an_effect(s: Any) -> None:
    s.code = 1


def announce(s: Any) -> None:
    s.declared[0] = 1


def promise(s: Any) -> None:
    s.left[0] = 1


def tie(s: Any) -> None:
    s.tied = 3


def win_nowhere(s: Any) -> None:
    s.won = 1


def name_a_place(s: Any) -> None:
    s.node_place = 0


def have_an_amount(s: Any) -> None:
    s.amount = 1


def steal_for_nobody(s: Any) -> None:
    s.victim, s.stake = 0, 1


def announce_for_another(s: Any) -> None:
    s.phase, s.declared[3] = Phase.WINDOW, 1


@pytest.mark.clause("PM-01", "PM-07", "PM-10", "PM-11")
@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        (lose_a_marker, "PM-02"),
        (seat_another, "PM-01"),
        (share_a_node, "PM-62"),
        (stack_runners, "PM-81"),
        (black_out_beyond, "PM-31"),
        (repeat_a_face, "PM-04"),
        (remove_a_tile, "PM-04"),
        (borrow, "PM-37"),
        (print_credits, "PM-92"),
        (take_a_bid_back, "PM-06"),
        (outbid, "PM-06"),
        (skip_a_turn, "PM-10"),
        (play_out_of_turn, "PM-10"),
        (ask_nothing, "PM-89"),
        (wait_for_nobody, "PM-89"),
        (stop, "PM-91"),
        (cut_off_too_early, "PM-91"),
        (throw_a_seven, "PM-14"),
        (run_further, "PM-14"),
        (name_a_thief, "PM-11"),
        (leave_an_effect, "PM-11"),
        (announce, "PM-11"),
        (promise, "PM-11"),
        (tie, "PM-11"),
        (win_nowhere, "PM-29"),
        (name_a_place, "PM-29"),
        (have_an_amount, "PM-29"),
        (steal_for_nobody, "PM-29"),
        (announce_for_another, "PM-29"),
    ],
)
def test_what_is_broken_is_noticed(breaks: Callable[[Any], None], message: str) -> None:
    before = state()
    check_invariants(GAME, before)
    s = before.copy()
    breaks(s)
    assert message in GAME.invariants[GAME.check(before, s) - 1]


def test_only_seats_that_play_have_a_turn() -> None:
    s = state()
    s.active = 3
    assert "absent seats" in GAME.invariants[GAME.check(s, s) - 1]


def test_bids_of_which_none_is_the_most() -> None:
    s = state()
    s.bid[:3], s.first = [1, 2, 3], 0
    assert "PM-07" in GAME.invariants[GAME.check(s, s) - 1]


@pytest.mark.clause("PM-08")
def test_only_the_best_roll_off() -> None:
    s = bid(dealt(3), [3, 3, 1])
    check_invariants(GAME, s)
    for change in ({"tied": 0}, {"tied": 0b001}, {"tied": 0b101}, {"phase": Phase.REVERSE}):
        other = s.copy()
        for field, value in change.items():
            other[field] = value
        assert "PM-08" in GAME.invariants[GAME.check(other, other) - 1]


def test_every_invariant_has_its_own_words() -> None:
    assert len(set(GAME.invariants)) == len(GAME.invariants)
