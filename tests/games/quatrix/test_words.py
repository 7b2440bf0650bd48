"""What a seat is told beside the position, and what a log tells of moves and dice."""

from __future__ import annotations

import pytest

from polytrix.games.quatrix import GAME

from .play import Position

RED_ZONE, BLUE_ZONE = "Red wins with seven pips in rows 9 to 10.", "Blue wins with seven pips in rows 2 to 3."


def test_the_zones_and_what_was_moved_before() -> None:
    table = Position("11 . . . D . . .\n 7 . . R . . . .\n 3 . . d . . . .").roll("red 4-1")
    s = table.state
    assert GAME.notes(s, 1) == [BLUE_ZONE, RED_ZONE]
    table.play("Dc3xc7")
    assert GAME.notes(s, 1)[2] == "The first die move of this turn: the disc from c3 to c7."


def test_a_zone_of_one_row() -> None:
    s = Position(finish_depth=1).roll("red 3-2").state
    assert GAME.notes(s, 0) == [
        "Red wins with seven pips in row 10.",
        "Blue wins with seven pips in row 2.",
    ]


@pytest.mark.clause("QX-06")
@pytest.mark.parametrize(
    ("dice", "told"),
    [
        ((1, 6), ["red rolls 1 and 6"]),
        ((1, 6, 5, 5), ["blue rolls 5 and 5", "blue begins"]),
        ((1, 6, 3, 4), ["blue rolls 3 and 4", "equal: both roll again"]),
        ((1, 6, 5, 5, 2), []),
        ((1, 6, 5, 5, 2, 3), ["blue rolls 3 and 2"]),  # the higher first, as beside the board
    ],
)
def test_dice_in_words(dice: tuple[int, ...], told: list[str]) -> None:
    table = Position().chance(*dice[:-1])
    before = table.state.copy()
    table.chance(dice[-1])
    assert GAME.tell(before, dice[-1] - 1, table.state, None) == told


@pytest.mark.parametrize(("dice", "task"), [("red 4-1", "go 4 or 1 squares"), ("red 2-2", "go 2 squares")])
def test_the_task_in_words(dice: str, task: str) -> None:
    table = Position("11 . . . D . . .\n 7 . . R . . . .\n 3 . . d . . . .").roll(dice)
    assert GAME.task(table.state) == task
    if task == "go 4 or 1 squares":
        table.play("Dc3xc7")
        assert GAME.task(table.state) == "put the popped ring back"
        table.play("@a11")
        assert GAME.task(table.state) == "go 1 square"


def test_a_move_in_words() -> None:
    table = Position("11 . . . D . . .\n 7 . . R . . . .\n 3 . . d . . . .").roll("red 4-1")
    before, action = table.state.copy(), table.number("Dc3xc7")
    table.play("Dc3xc7")
    assert GAME.tell(before, action, table.state, None) == [
        "moves the disc 4 squares forward from c3 to c7, where it pops the enemy ring"
    ]


@pytest.mark.clause("QX-23")
def test_sideways_is_the_same_for_both_seats_and_a_pip_may_be_of_any_ring_and_disc() -> None:
    table = Position(" 5 . . . d . r .\n 1 p p p . p . p").roll("red 2-1")
    told = "move the ring 2 squares sideways from f5 to d5, where it makes a pip with the disc there"
    assert GAME.explain(table.state, table.number("Rf5+d5")) == told
