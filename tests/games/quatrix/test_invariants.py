"""The invariants hold in play, and each of them notices what breaks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from polytrix.core.compiler import Mode
from polytrix.core.state import CHANCE, OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.invariants import INVARIANTS, check
from polytrix.games.quatrix.state import board, set_board, toggle_disc, toggle_ring
from polytrix.testing import check_random_play

from .positions import Position


@pytest.mark.clause("QX-04", "QX-05", "QX-08", "QX-12", "QX-64", "QX-80")
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_in_play(depth: int) -> None:
    """Random and greedy seats: random ones alone hardly ever bring seven pips home."""
    report = check_random_play(GAME, {"finish_depth": depth}, 20_000, policy="mixed", seed=4)
    assert report.terminated > 0 and report.seen["a ring is popped"] > 0


def test_in_play_in_plain_python() -> None:
    check_random_play(GAME, None, 100, Mode.PLAIN, games=2)


def leave_the_board(s: Any) -> None:
    s.enemy_disc[0, 1] |= 1 << 14


def forget_a_view(s: Any) -> None:
    s.enemy_ring[0, 0] ^= 1 << 30


def share_a_square(s: Any) -> None:
    toggle_disc(s, 0, 0)
    toggle_disc(s, 0, 30)
    toggle_ring(s, 1, 0)
    toggle_ring(s, 1, 76 - 30)


def lose_a_disc(s: Any) -> None:
    units = board(s)
    units[0, 0] = 1
    set_board(s, units)


def lose_a_ring(s: Any) -> None:
    units = board(s)
    units[0, 0] = 2
    set_board(s, units)


def enter_the_enemy_track(s: Any) -> None:
    units = board(s)
    units[0, 0], units[10, 3], units[5, 3] = 0, 3, units[10, 3]
    set_board(s, units)


def win_unnoticed(s: Any) -> None:
    units = board(s)
    units[9], units[0] = units[0].copy(), 0
    set_board(s, units)


def set_odds(s: Any) -> None:
    s.odds = 2


def end_without_result(s: Any) -> None:
    s.mover = OVER


def give_the_turn_away(s: Any) -> None:
    s.mover = 1


def wait_for_chance(s: Any) -> None:
    s.mover = CHANCE


def throw_a_seven(s: Any) -> None:
    s.dice[0] = 7


def swap_the_dice(s: Any) -> None:
    s.dice[:] = 2, 4


def forget_the_first_move(s: Any) -> None:
    s.used[0] = 1


def use_both_dice(s: Any) -> None:
    s.used[:] = 1
    s.first_kind = 1


@pytest.mark.parametrize(
    ("breaks", "text"),
    [
        (leave_the_board, "no piece is off the board"),
        (forget_a_view, "both seats see the same pieces"),
        (share_a_square, "no square holds pieces of both colours"),
        (lose_a_ring, "seven rings"),
        (lose_a_disc, "seven discs"),
        (enter_the_enemy_track, "nobody is on the enemy start track"),
        (win_unnoticed, "seven pips home"),
        (set_odds, "odds 1 to 3"),
        (end_without_result, "the game ends"),
        (give_the_turn_away, "chance is to move before the roll"),
        (wait_for_chance, "chance is to move before the roll"),
        (throw_a_seven, "the dice show"),
        (swap_the_dice, "the dice show"),
        (forget_the_first_move, "the first die move is recorded"),
        (use_both_dice, "a turn goes on only"),
    ],
)
def test_a_broken_state_is_noticed(breaks: Callable[[Any], None], text: str) -> None:
    s = Position().roll("red 4-2").state
    assert check(s, s) == 0
    breaks(s)
    assert text in INVARIANTS[check(s, s) - 1]


def use_a_die(s: Any) -> None:
    s.used[0] = 1


def let_red_roll(s: Any) -> None:
    s.mover = 0


@pytest.mark.parametrize(
    ("breaks", "text"),
    [(use_a_die, "before the roll"), (let_red_roll, "chance is to move before the roll")],
)
def test_a_broken_state_before_the_roll_is_noticed(breaks: Callable[[Any], None], text: str) -> None:
    s = Position().roll("red 4-2").play("Rd1-d5", "Rc1-c3").state
    assert check(s, s) == 0
    breaks(s)
    assert text in INVARIANTS[check(s, s) - 1]


# -- steps --------------------------------------------------------------------------------


def move_a_pip(s: Any, seat: int) -> None:
    """From the first square of the start track one row forward."""
    for square in (0, 7):
        toggle_ring(s, seat, square)
        toggle_disc(s, seat, square)


def swap_ring_and_ring(s: Any, seat: int) -> None:
    """The same pieces with one ring elsewhere."""
    toggle_ring(s, seat, 0)
    toggle_ring(s, seat, 7)


def test_a_die_throw_moves_nothing() -> None:
    table = Position().roll("red 4-2").play("Rd1-d5", "Rc1-c3")
    before = table.state.copy()
    s = table.chance(3).state
    assert check(before, s) == 0
    move_a_pip(s, 0)
    assert INVARIANTS[check(before, s) - 1] == "dice move no pieces"


@pytest.mark.parametrize("moves", [move_a_pip, swap_ring_and_ring])
def test_an_enemy_piece_stays_where_it_is(moves: Callable[[Any, int], None]) -> None:
    table = Position().roll("red 4-2")
    before = table.state.copy()
    s = table.play("Rd1-d5").state
    assert check(before, s) == 0
    moves(s, 1)
    assert "nobody moves enemy pieces" in INVARIANTS[check(before, s) - 1]


@pytest.mark.clause("QX-08")
def test_the_turn_passes_in_time() -> None:
    table = Position().roll("red 4-4").play("Pd1-d5")
    before = table.state.copy()
    s = table.play("Rd5-d9").state
    assert check(before, s) == 0
    s.turn_seat = 0
    assert "the turn passes" in INVARIANTS[check(before, s) - 1]

    before = Position().roll("red 4-2").state.copy()
    s = before.copy()
    s.turn_seat = s.mover = 1
    assert "the turn passes" in INVARIANTS[check(before, s) - 1]


def test_a_turn_is_counted_when_it_begins() -> None:
    table = Position().roll("red 4-2").play("Rd1-d5", "Rc1-c3")
    s = table.chance(3).state
    before = s.copy()
    table.chance(2)
    assert check(before, s) == 0
    s.turns += 1
    assert INVARIANTS[check(before, s) - 1] == "each roll begins a turn"
