"""The invariants hold in play and notice broken states."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from polytrix.core.simulator import Simulator
from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.invariants import INVARIANTS, check
from polytrix.testing import check_random_play


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


def borrow(s: Any) -> None:
    s.credits[1] = -1


def double_a_marker(s: Any) -> None:
    owner = next(seat for seat in range(3) if s.marker[seat].any())
    other = (owner + 1) % 3
    count = sum(int(half).bit_count() for half in s.marker[owner])
    lost = sum(int(half).bit_count() for half in s.marker[other])
    s.marker[other] = s.marker[owner]
    s.hand[other], s.discarded[other] = 0, 5 - count
    assert lost >= 0


def stack_runners(s: Any) -> None:
    s.runner[0] = s.runner[1]


def overheat(s: Any) -> None:
    s.level = 3


def fill_on_paper(s: Any) -> None:
    s.full ^= 1


def repeat_a_face(s: Any) -> None:
    s.up[0] = s.up[1]


def forget_a_special_node(s: Any) -> None:
    s.control[:] = 0
    s.hand[:3], s.discarded[:3], s.marker[:] = 5, 0, 0


def ask_another(s: Any) -> None:
    s.mover = (s.mover + 1) % 3


def ask_nothing(s: Any) -> None:
    s.choices[0] = 0


def move_anywhere(s: Any) -> None:
    s.choices[0] = (1 << 25) - 1


def throw_a_seven(s: Any) -> None:
    s.dice[0] = 7


def name_a_thief(s: Any) -> None:
    s.thief = 1


def bid_too_much(s: Any) -> None:
    s.bid[2] = 6


def stop(s: Any) -> None:
    s.mover = -2


def cut_off_too_early(s: Any) -> None:
    s.mover, s.truncated = -2, 1


@pytest.mark.parametrize(
    ("breaks", "message"),
    [
        (lose_a_marker, "PM-02"),
        (borrow, "PM-37"),
        (double_a_marker, "PM-62"),
        (stack_runners, "PM-81"),
        (overheat, "PM-25"),
        (fill_on_paper, "full tiles"),
        (repeat_a_face, "PM-04"),
        (forget_a_special_node, "special nodes"),
        (ask_another, "the mover is the one"),
        (ask_nothing, "PM-89"),
        (move_anywhere, "PM-21"),
        (throw_a_seven, "PM-14"),
        (name_a_thief, "pending"),
        (bid_too_much, "PM-06"),
        (stop, "PM-91"),
        (cut_off_too_early, "PM-91"),
    ],
)
def test_what_is_broken_is_noticed(breaks: Callable[[Any], None], message: str) -> None:
    s = state()
    assert check(s, s) == 0
    breaks(s)
    assert message in INVARIANTS[check(s, s) - 1]


@pytest.mark.clause("PM-10")
def test_turns_that_do_not_follow_are_noticed() -> None:
    s = state()
    before = s.copy()
    s.turns += 1
    assert "PM-10" in INVARIANTS[check(before, s) - 1]
    s = before.copy()
    s.active = (s.active + 1) % 3
    s.mover = s.active
    assert check(before, s) != 0


def test_every_invariant_has_its_own_words() -> None:
    assert len(set(INVARIANTS)) == len(INVARIANTS)
