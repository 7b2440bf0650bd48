"""The invariants hold in play, and each notices a state or step that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.inspection import broken_invariant
from polytrix.core.state import CHANCE, OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.invariants import check
from polytrix.games.quatrix.state import board, set_board, toggle_disc, toggle_ring
from polytrix.testing import check_random_play

from .play import Position


@pytest.mark.clause("QX-04", "QX-05", "QX-08", "QX-12", "QX-64", "QX-80")
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_in_play(depth: int) -> None:
    """Random and greedy seats: random ones alone hardly ever bring seven pips home."""
    report = check_random_play(GAME, {"finish_depth": depth}, 20_000, policy="mixed", seed=4)
    assert report.terminated > 0


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
    assert text in broken_invariant(GAME, check(s, s))


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
    assert text in broken_invariant(GAME, check(s, s))


def drop_a_die(s: Any) -> None:
    s.rolled = 1


def remember_an_old_move(s: Any) -> None:
    s.first_to = 9


def begin_elsewhere(s: Any) -> None:
    s.turns = 0


def count_a_turn_too_many(s: Any) -> None:
    s.turns = 3


def decide_too_often(s: Any) -> None:
    s.decisions = 5


def start_with_the_lower_total(s: Any) -> None:
    s.opening[0] = 1


def open_with_equal_totals(s: Any) -> None:
    s.opening[1] = 6


def open_with_three_dice(s: Any) -> None:
    s.opening[1, 1] = 0


def begin_with_nobody(s: Any) -> None:
    s.starter = -1


def pass_the_turn(s: Any) -> None:
    s.turn_seat = s.mover = 1


def put_nobody_on_turn(s: Any) -> None:
    """Chance has the number that nobody has."""
    s.turn_seat = s.mover = CHANCE


def end_too_early(s: Any) -> None:
    s.mover = OVER
    s.truncated = 1


@pytest.mark.parametrize(
    ("breaks", "text"),
    [
        (drop_a_die, "the dice show"),
        (remember_an_old_move, "the first die move is recorded"),
        (begin_elsewhere, "each turn has one to four decisions"),
        (count_a_turn_too_many, "each turn has one to four decisions"),
        (decide_too_often, "each turn has one to four decisions"),
        (start_with_the_lower_total, "QX-06"),
        (open_with_equal_totals, "QX-06"),
        (open_with_three_dice, "QX-06"),
        (begin_with_nobody, "QX-06"),
        (pass_the_turn, "the turn passes"),
        (put_nobody_on_turn, "after it the seat on turn"),
        (end_too_early, "the game ends by a win or at its limit"),
    ],
)
def test_a_state_that_no_game_reaches_is_noticed(breaks: Callable[[Any], None], text: str) -> None:
    s = Position().roll("red 4-2").state
    assert check(s, s) == 0
    breaks(s)
    assert text in broken_invariant(GAME, check(s, s))


@pytest.mark.parametrize("move", ["Rd1-d5", "Rd1-d3"])
def test_a_die_move_is_a_decision(move: str) -> None:
    s = Position().roll("red 4-2").play(move).state
    assert check(s, s) == 0
    s.decisions = 0
    assert "each turn has one to four decisions" in broken_invariant(GAME, check(s, s))


@pytest.mark.clause("QX-04")
def test_no_piece_moves_before_the_first_turn() -> None:
    s = Position().chance(6, 6, 1, 1).state
    assert check(s, s) == 0
    move_a_pip(s, 0)
    assert "until the first turn" in broken_invariant(GAME, check(s, s))


@pytest.mark.clause("QX-06")
def test_nobody_is_on_turn_during_the_opening_roll() -> None:
    s = Position().chance(6, 6).state
    assert check(s, s) == 0
    s.turn_seat = 0
    assert "QX-06" in broken_invariant(GAME, check(s, s))


def roll_a_die_of_the_turn(s: Any) -> None:
    s.rolled, s.dice[0] = 1, 3


def show_a_die_that_is_not_rolled(s: Any) -> None:
    s.dice[1] = 3


@pytest.mark.parametrize("breaks", [roll_a_die_of_the_turn, show_a_die_that_is_not_rolled])
def test_dice_of_the_turn_are_not_rolled_in_the_opening(breaks: Callable[[Any], None]) -> None:
    s = Position().chance(6, 6).state
    breaks(s)
    assert "the dice show" in broken_invariant(GAME, check(s, s))


# -- the first die move of a turn -----------------------------------------------------------


def go_otherwise(s: Any) -> None:
    s.first_direction = 3


def go_farther(s: Any) -> None:
    s.first_to += 7


def go_round_the_edge(s: Any) -> None:
    """A ring has gone 4 to the right from f1, to c2."""
    toggle_ring(s, 0, 5)
    toggle_ring(s, 0, 9)
    toggle_ring(s, 0, 3)  # back to d1
    toggle_ring(s, 0, 3 + 4 * 7)
    s.first_from, s.first_to, s.first_direction = 5, 9, 3


def go_round_the_other_edge(s: Any) -> None:
    """A ring has gone 4 to the left from c2, to f1."""
    toggle_ring(s, 0, 3)  # back to d1
    toggle_ring(s, 0, 3 + 4 * 7)
    s.first_from, s.first_to, s.first_direction = 9, 5, 2


def use_the_other_die(s: Any) -> None:
    s.used[:] = 0, 1


def carry_a_disc(s: Any) -> None:
    s.first_kind = 2


def carry_a_pip(s: Any) -> None:
    s.first_kind = 3


def put_the_ring_back(s: Any) -> None:
    toggle_ring(s, 0, 3)
    toggle_ring(s, 0, 4)


@pytest.mark.clause("QX-10")
@pytest.mark.parametrize(
    "breaks",
    [
        go_otherwise,
        go_farther,
        go_round_the_edge,
        go_round_the_other_edge,
        use_the_other_die,
        carry_a_disc,
        carry_a_pip,
        put_the_ring_back,
    ],
)
def test_a_first_die_move_that_cannot_have_been_is_noticed(breaks: Callable[[Any], None]) -> None:
    s = Position().roll("red 4-2").play("Rd1-d5").state
    assert check(s, s) == 0
    breaks(s)
    assert "QX-10" in broken_invariant(GAME, check(s, s))


@pytest.mark.clause("QX-20", "QX-40")
def test_a_first_die_move_on_doubles() -> None:
    s = Position().roll("red 4-4").play("Pd1-d5").state
    assert check(s, s) == 0
    s.used[:] = 0, 1
    assert "QX-10" in broken_invariant(GAME, check(s, s))
    s.used[:] = 1, 0
    s.first_kind = 1  # had it left the disc behind, ...
    assert check(s, s) == 0  # ... that could have been there before
    toggle_ring(s, 0, 3)
    toggle_ring(s, 0, 4)
    assert "QX-10" in broken_invariant(GAME, check(s, s))


def popped() -> Any:
    """Red's disc has just popped a ring of blue."""
    table = Position().roll("red 6-3").play("Rd1-d7", "Dd1-d4").roll("blue 1-2").play("Rd11-d10", "Rc11-c9")
    return table.roll("red 6-1").play("Dd4xd10").state


@pytest.mark.clause("QX-60")
def test_a_ring_that_nobody_popped_is_noticed() -> None:
    s = popped()
    assert check(s, s) == 0
    toggle_ring(s, 0, 3 + 6 * 7)  # red's ring from d7 to the disc on d10
    toggle_ring(s, 0, 3 + 9 * 7)
    assert "QX-60" in broken_invariant(GAME, check(s, s))

    s = popped()
    s.used[:] = 0
    s.first_kind = s.first_from = s.first_to = s.first_direction = 0
    assert "QX-60" in broken_invariant(GAME, check(s, s))


# -- the end ------------------------------------------------------------------------------


def won() -> Any:
    """Red has six pips home, and brings the last one there with a double three."""
    table = Position().roll("red 3-3")
    units = board(table.state)
    units[0], units[9] = 0, 3
    units[9, 3], units[6, 3] = 0, 3
    set_board(table.state, units)
    return table.play("Pd7-d10#").state


def leave_the_track(s: Any) -> None:
    """Blue's pips stand in the middle instead."""
    units = board(s)
    units[4], units[10] = units[10].copy(), 0
    set_board(s, units)


def play_on(s: Any) -> None:
    s.phase = 2


def be_cut_off_as_well(s: Any) -> None:
    s.truncated = 1


@pytest.mark.clause("QX-83", "QX-84", "QX-85")
@pytest.mark.parametrize(
    ("breaks", "text"),
    [
        (leave_the_track, "QX-83"),
        (play_on, "the game ends by a win"),
        (be_cut_off_as_well, "the game ends by a win"),
    ],
)
def test_a_broken_end_is_noticed(breaks: Callable[[Any], None], text: str) -> None:
    s = won()
    assert check(s, s) == 0 and s.odds == 3
    breaks(s)
    assert text in broken_invariant(GAME, check(s, s))


@pytest.mark.clause("QX-83", "QX-84", "QX-85")
@pytest.mark.parametrize(("row", "odds"), [(10, 3), (9, 2), (8, 2), (7, 1)])
def test_odds_of_every_kind(row: int, odds: int) -> None:
    """Blue's last ring stands in this row of the board, all its other pieces in the middle."""
    s = won()
    units = board(s)
    units[10] = 0
    units[4] = 6
    units[4, 0] = 5
    units[row, 0] = 4
    if row == 9:
        units[9, 0], units[8, 0] = 4, 3
    set_board(s, units)
    s.odds = odds
    assert check(s, s) == 0
    s.odds = odds % 3 + 1
    assert "QX-83" in broken_invariant(GAME, check(s, s))


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
    assert broken_invariant(GAME, check(before, s)) == "dice move no pieces"


@pytest.mark.parametrize("moves", [move_a_pip, swap_ring_and_ring])
def test_an_enemy_piece_stays_where_it_is(moves: Callable[[Any, int], None]) -> None:
    table = Position().roll("red 4-2")
    before = table.state.copy()
    s = table.play("Rd1-d5").state
    assert check(before, s) == 0
    moves(s, 1)
    assert "nobody moves enemy pieces" in broken_invariant(GAME, check(before, s))


@pytest.mark.clause("QX-08")
def test_the_turn_passes_in_time() -> None:
    table = Position().roll("red 4-4").play("Pd1-d5")
    before = table.state.copy()
    s = table.play("Rd5-d9").state
    assert check(before, s) == 0
    s.turn_seat = 0
    assert "the turn passes" in broken_invariant(GAME, check(before, s))

    before = Position().roll("red 4-2").state.copy()
    s = before.copy()
    s.turn_seat = s.mover = 1
    assert "the turn passes" in broken_invariant(GAME, check(before, s))


def test_a_turn_is_counted_when_it_begins() -> None:
    table = Position().roll("red 4-2").play("Rd1-d5", "Rc1-c3")
    s = table.chance(3).state
    before = s.copy()
    table.chance(2)
    assert check(before, s) == 0
    s.turns += 1
    assert broken_invariant(GAME, check(before, s)) == "each roll begins a turn"
