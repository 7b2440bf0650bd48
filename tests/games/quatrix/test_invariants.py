"""The invariants hold in play, and each notices a state or step that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from polytrix.core.compile.compiler import Mode
from polytrix.core.inspection import broken_invariant
from polytrix.core.state import CHANCE, OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import board, toggle_disc, toggle_ring
from polytrix.testing import check_random_play

from .play import Position, set_board


def broken(s: Any, before: Any = None) -> str:
    """The invariant that does not hold, or "" if all do."""
    number = GAME.check(s if before is None else before, s)
    return broken_invariant(GAME, number) if number else ""


@pytest.mark.clause("QX-04", "QX-05", "QX-08", "QX-12", "QX-64", "QX-80")
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_in_play(depth: int) -> None:
    """Random and greedy seats: random ones alone hardly ever bring seven pips home."""
    report = check_random_play(GAME, {"finish_depth": depth}, 20_000, policy="mixed", seed=4)
    assert report.terminated > 0


def test_in_play_in_plain_python() -> None:
    check_random_play(GAME, None, 100, Mode.PLAIN, games=2)


def after_a_roll() -> Any:
    return Position().roll("red 4-2").state


def after_a_die_move() -> Any:
    return Position().roll("red 4-2").play("Rd1-d5").state


def before_a_roll() -> Any:
    return Position().roll("red 4-2").play("Rd1-d5", "Rc1-c3").state


def with_one_die() -> Any:
    return Position().roll("red 4-2").play("Rd1-d5", "Rc1-c3").chance(3).state


def in_the_opening() -> Any:
    return Position().chance(6, 6).state


def won() -> Any:
    """Red has six pips home, and brings the last one there with a double three."""
    table = Position().roll("red 3-3")
    units = board(table.state)
    units[0], units[9] = 0, 3
    units[9, 3], units[6, 3] = 0, 3
    set_board(table.state, units)
    return table.play("Pd7-d10#").state


def popped() -> Any:
    """Red's disc has just popped a ring of blue."""
    table = Position().roll("red 6-3").play("Rd1-d7", "Dd1-d4").roll("blue 1-2").play("Rd11-d10", "Rc11-c9")
    return table.roll("red 6-1").play("Dd4xd10").state


def forget_a_view(s: Any) -> None:
    s.enemy_ring[0, 0] ^= 1 << 30


def forget_another_view(s: Any) -> None:
    s.enemy_disc[1, 1] ^= 1


def share_a_square(s: Any) -> None:
    toggle_disc(s, 0, 0)
    toggle_disc(s, 0, 30)
    toggle_ring(s, 1, 0)
    toggle_ring(s, 1, 76 - 30)


def share_a_far_square(s: Any) -> None:
    """A pip of red has entered blue's start track."""
    for square in (1, 70):
        toggle_ring(s, 0, square)
        toggle_disc(s, 0, square)


def put(s: Any, row: int, column: int, unit: int) -> None:
    """Another unit on a square, or none."""
    units = board(s)
    units[row, column] = unit
    set_board(s, units)


def lose_a_disc(s: Any) -> None:
    put(s, 0, 0, 1)


def lose_a_ring(s: Any) -> None:
    put(s, 0, 0, 2)


def lose_a_blue_ring(s: Any) -> None:
    put(s, 10, 0, 5)


def return_the_ring(s: Any) -> None:
    put(s, 5, 0, 4)


def enter_the_enemy_track(s: Any) -> None:
    units = board(s)
    units[0, 0], units[10, 3], units[5, 3] = 0, 3, units[10, 3]
    set_board(s, units)


def win_unnoticed(s: Any) -> None:
    units = board(s)
    units[9], units[0] = units[0].copy(), 0
    set_board(s, units)


def set_(**values: int) -> Callable[[Any], None]:
    """Another value in some fields."""

    def breaks(s: Any) -> None:
        for name, value in values.items():
            s[name] = value

    return breaks


@pytest.mark.parametrize(
    ("position", "breaks", "text"),
    [
        (after_a_roll, forget_a_view, "both seats see the same pieces"),
        (after_a_roll, forget_another_view, "both seats see the same pieces"),
        (after_a_roll, share_a_square, "no square holds pieces of both colours"),
        (after_a_roll, share_a_far_square, "no square holds pieces of both colours"),
        (after_a_roll, lose_a_ring, "seven rings"),
        (after_a_roll, lose_a_blue_ring, "seven rings"),
        (popped, lose_a_ring, "seven rings"),
        (popped, return_the_ring, "seven rings"),
        (after_a_roll, lose_a_disc, "seven discs"),
        (after_a_roll, enter_the_enemy_track, "nobody is on the enemy start track"),
        (after_a_roll, win_unnoticed, "seven pips home"),
        (won, set_(winner=1), "seven pips home"),
        (won, set_(phase=2), "the game ends by a win"),
        (won, set_(truncated=1), "the game ends by a win"),
        (won, set_(mover=0), "the game ends by a win"),
        (after_a_roll, set_(mover=OVER), "the game ends by a win"),
        (after_a_roll, set_(mover=OVER, truncated=1), "the game ends by a win"),
        (after_a_roll, set_(mover=1), "chance is to move before the roll"),
        (after_a_roll, set_(mover=CHANCE), "chance is to move before the roll"),
        (before_a_roll, set_(mover=0), "chance is to move before the roll"),
        (in_the_opening, set_(mover=0), "chance is to move before the roll"),
        (after_a_roll, set_(dice=7), "the dice show"),
        (after_a_roll, set_(dice=(2, 4)), "the dice show"),
        (after_a_roll, set_(dice=(4, 0)), "the dice show"),
        (with_one_die, set_(dice=(3, 3)), "the dice show"),
        (with_one_die, set_(dice=(7, 0)), "the dice show"),
        (in_the_opening, set_(dice=(3, 0)), "the dice show"),
        (after_a_roll, set_(used=(1, 0)), "the first die move is recorded"),
        (after_a_roll, set_(first_to=9), "the first die move is recorded"),
        (after_a_die_move, set_(first_kind=0), "the first die move is recorded"),
        (before_a_roll, set_(used=(0, 1)), "the first die move is recorded"),
    ],
)
def test_a_broken_state_is_noticed(
    position: Callable[[], Any], breaks: Callable[[Any], None], text: str
) -> None:
    s = position()
    assert not broken(s)
    breaks(s)
    assert text in broken(s)


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
    assert not broken(s, before)
    move_a_pip(s, 0)
    assert "QX-62" in broken(s, before)


@pytest.mark.parametrize("moves", [move_a_pip, swap_ring_and_ring])
def test_an_enemy_piece_stays_where_it_is(moves: Callable[[Any, int], None]) -> None:
    table = Position().roll("red 4-2")
    before = table.state.copy()
    s = table.play("Rd1-d5").state
    assert not broken(s, before)
    moves(s, 1)
    assert "nobody moves enemy pieces" in broken(s, before)


@pytest.mark.clause("QX-08")
def test_the_turn_passes_in_time() -> None:
    table = Position().roll("red 4-4").play("Pd1-d5")
    before = table.state.copy()
    s = table.play("Rd5-d9").state
    assert not broken(s, before)
    s.turn_seat = 0
    assert "the turn passes" in broken(s, before)

    before = Position().roll("red 4-2").state.copy()
    s = before.copy()
    s.turn_seat = s.mover = 1
    assert "the turn passes" in broken(s, before)
