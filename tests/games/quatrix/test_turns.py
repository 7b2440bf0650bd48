"""Set-up, turns and the duty to move: QX-01 to QX-08 and QX-70 to QX-73."""

from __future__ import annotations

import pytest

from polytrix.core.errors import OptionError
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import Phase

from .play import Position

clause = pytest.mark.clause

OPENING_BOARD = """
    11 P P P P P P P
    1 p p p p p p p"""


@clause("QX-01", "QX-02", "QX-04")
def test_opening_position() -> None:
    table = Position()
    assert GAME.seats == ("red", "blue")
    assert table.units.shape == (11, 7)
    assert table.shows(OPENING_BOARD)


@clause("QX-06")
def test_red_rolls_first_and_the_higher_total_starts() -> None:
    table = Position().chance(6, 1)
    assert table.state.opening.tolist() == [[6, 1], [0, 0]]
    assert table.chance(4, 4).turn == "ROLL blue"


@clause("QX-06")
def test_equal_totals_are_rolled_again_as_often_as_it_takes() -> None:
    table = Position()
    for tie in ((6, 1, 3, 4), (1, 1, 1, 1), (5, 3, 4, 4)):
        table.chance(*tie)
        assert (table.state.phase, table.state.mover) == (Phase.OPENING, CHANCE)
    assert table.chance(2, 1, 1, 1).turn == "ROLL red"


@clause("QX-07")
def test_the_starter_rolls_two_new_dice() -> None:
    table = Position().chance(6, 6, 1, 1)
    assert table.state.dice.tolist() == [0, 0]
    table.chance(2, 5)
    assert table.turn == "MOVE red"
    assert table.state.dice.tolist() == [5, 2]  # the higher first


def test_each_roll_begins_a_turn() -> None:
    table = Position()
    assert table.chance(1, 1, 6, 6).state.turns == 0
    assert table.chance(3).state.turns == 0
    assert table.chance(2).play("Rd11-d8", "Rd8-d6").state.turns == 1
    assert table.chance(6, 6).state.turns == 2


@clause("QX-08")
@pytest.mark.parametrize(("dice", "moves"), [("3-2", ["Rd1-d4", "Rd4-d6"]), ("3-3", ["Pd1-d4", "Pd4-d7"])])
def test_turns_alternate_after_doubles_too(dice: str, moves: list[str]) -> None:
    table = Position().roll(f"red {dice}").play(*moves)
    assert table.turn == "ROLL blue"
    assert table.roll("blue 2-1").turn == "MOVE blue"


@clause("QX-03")
@pytest.mark.parametrize(("depth", "red", "blue"), [(1, 3, 1), (2, 4, 3), (3, 6, 4)])
def test_finish_zones(depth: int, red: int, blue: int) -> None:
    """Counted from the enemy track on; both colours stand in both zones."""
    table = Position(
        """
        10 p p p . . . P
        9 p . . . . . P
        8 p p . . . . P
        4 p . . . . . P
        3 p . . . . P P
        2 p . . . . . P""",
        finish_depth=depth,
    )
    assert table.observation("red")["home"].tolist() == [red, blue]
    assert table.observation("blue")["home"].tolist() == [blue, red]


@clause("QX-03")
def test_finish_depth_is_one_two_or_three() -> None:
    assert Simulator(GAME, seed=0).options["finish_depth"] == 2
    for wrong in (0, 4, "2", True):
        with pytest.raises(OptionError, match="finish_depth"):
            Simulator(GAME, options={"finish_depth": wrong}, seed=0)


@clause("QX-70")
def test_a_first_move_that_spoils_the_second_is_illegal() -> None:
    """On d3 the ring would have no 5: the pip on d7 is in its way, and a row is too short."""
    table = Position("""
        7 . . . P . . .
        1 . . . r . . .""")
    assert table.roll("red 5-2").legal == {"Rd1-d6", "Rd1-b1", "Rd1-f1"}


@clause("QX-70")
def test_the_duty_holds_where_one_die_has_no_move_yet() -> None:
    """Nobody has a 5, until the ring has left d2 for d8: then its disc pops the ring on d7."""
    table = Position("""
        7 . . . R D . .
        2 . . . p r . .""").roll("red 6-5")
    assert table.legal == {"Rd2-d8"}
    assert table.play("Rd2-d8").legal == {"Dd2xd7"}


@clause("QX-70")
def test_the_duty_holds_in_a_crowd_where_one_die_has_no_move_yet() -> None:
    """After five of the nine 6s nobody has a 5: the unit that moved could only turn back."""
    table = Position("""
        11 R R R R R R .
        10 p . p p p p .
        7 . . . R D . .
        6 . . D . . . .
        5 D . D D D D .
        2 . . . p r . .
        1 . . d . . . .""").roll("red 6-5")
    assert table.legal == {"Rd2-d8", "Ra10-a4", "Ra10-g10", "Rf10-f4"}
    assert table.play("Ra10-a4").legal == {"Ra4-f4", "Rf10+a10"}


@clause("QX-70")
def test_a_first_move_can_spoil_the_second_of_six_units() -> None:
    """Each unit has a 2. Once the ring from d3 is on d6, none has: those around d6 had no other square."""
    table = Position("""
        10 . . . D . . .
        8 . D . r . D .
        6 . r . d . r .
        4 . D . r . D .
        3 . . . r . . .
        2 . . . D . . .""").roll("red 3-2")
    with_the_2 = {"Rd3-b3", "Rd3-d1", "Rd3-d5", "Rd3-f3", "Rb6+d6", "Rf6+d6", "Rd4+d6", "Rd8+d6"}
    assert table.legal > with_the_2 | {"Rd3-a3", "Dd6-d9"}
    assert "Rd3+d6" not in table.legal


@clause("QX-70", "QX-73")
def test_the_duty_does_not_ask_which_die_comes_first() -> None:
    table = Position("1 . . . r . . .").roll("red 5-2")
    assert table.legal == {"Rd1-d6", "Rd1-d3", "Rd1-b1", "Rd1-f1"}


@clause("QX-71")
def test_one_die_only_is_a_free_choice_and_the_other_is_forfeited() -> None:
    for move in ("Rd10-d4", "Rd10-d6"):
        table = Position("10 . . . r . . .").roll("red 6-4")
        assert table.legal == {"Rd10-d4", "Rd10-d6"}
        assert table.play(move).turn == "ROLL blue"


@clause("QX-72")
@pytest.mark.parametrize("dice", ["5-3", "6-1", "4-4"])
def test_pass_only_without_any_die_move(dice: str) -> None:
    walled_in = """
        2 P . . . . . .
        1 p P . . . . ."""
    assert Position(walled_in).roll(f"red {dice}").legal == {"pass"}
    freed = Position("1 p P . . . . .").roll(f"red {dice}")
    assert freed.legal and "pass" not in freed.legal


@clause("QX-72")
def test_a_pass_hands_the_dice_over() -> None:
    table = Position("""
        2 P . . . . . .
        1 r P . . . . .""").roll("red 5-3")
    assert table.play("pass").turn == "ROLL blue"
    assert table.state.decisions == 1


@clause("QX-73")
def test_popping_combining_and_winning_are_free() -> None:
    table = Position("""
        10 p p p p p p r
        5 . . . . . . d
        3 . . . R . . .""").roll("red 5-2")
    assert {"Dg5+g10#", "Ra10-a5", "Dg5-g7", "Dg5-e5"} <= table.legal
    popping = Position("""
        5 . . . R . . .
        1 r . . d . . .""").roll("red 4-2")
    assert {"Dd1xd5", "Dd1-d3", "Ra1-a5"} <= popping.legal


@clause("QX-14", "QX-73")
def test_harm_is_no_excuse() -> None:
    table = Position("10 p . . . . . .").roll("red 5-4")
    assert table.legal == {"Ra10-a5", "Ra10-f10", "Ra10-a6", "Ra10-e10"}
