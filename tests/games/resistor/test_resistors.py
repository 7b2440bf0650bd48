"""Resistors: RS-07 and RS-32 to RS-40."""

from __future__ import annotations

from typing import Any

import pytest

from polytrix.games.resistor.state import deck_size

from .play import PHASES, Board, built

clause = pytest.mark.clause


def choosing(row: str, **rest: Any) -> Board:
    """A position in which several diamonds show."""
    board = built(row, **rest)
    board.state.phase = PHASES.index("RESOLVE")
    return board


# -- which one --------------------------------------------------------------------------------


@clause("RS-32")
def test_a_single_diamond_is_resolved_without_a_choice() -> None:
    board = built("20b+ 49b+ 21a+", left="FD").play("F2")
    assert (board.row, board.pile, board.phase) == ("20b+ 21a+", "49", "ACT red")


@clause("RS-32", "RS-37")
@pytest.mark.parametrize(
    ("choice", "row", "pile"), [("R2", "21a+ 2b+ 20b+", "4 0"), ("R3", "21a+ 0b+ 20b+", "4 2")]
)
def test_of_several_the_turn_player_chooses_one(choice: str, row: str, pile: str) -> None:
    """Both diamonds are wired to each other, so either flips the other one back to harmlessness."""
    board = built("21a+ 0b+ 4b- 2b+ 20b+", left="FD").play("F3")
    assert (board.row, board.phase, board.legal) == ("21a+ 0a- 2a- 20b+", "RESOLVE red", ["R2", "R3"])
    board.play(choice)
    assert (board.row, board.pile, board.phase) == (row, pile, "ACT red")


@clause("RS-32")
def test_blue_chooses_by_his_own_positions() -> None:
    board = built("21a+ 0b+ 4b- 2b+ 20b+", turn="blue", left="FD").play("F3")
    assert (board.phase, board.legal) == ("RESOLVE blue", ["R2", "R3"])
    assert board.play("R2").row == "21a+ 0b+ 20b+"


@clause("RS-32")
def test_one_revealed_later_stands_in_the_same_choice() -> None:
    """14a is wired to 0b, which turns up its own diamond while 49a still waits."""
    board = choosing("49a+ 20b+ 14a+ 0b+ 21a+")
    assert board.legal == ["R1", "R3"]
    board.play("R3")
    assert (board.row, board.phase, board.legal) == ("49a+ 20b+ 0a- 21a+", "RESOLVE red", ["R1", "R3"])


# -- step 1 -----------------------------------------------------------------------------------


@clause("RS-34")
@pytest.mark.parametrize(("before", "after"), [(4, 3), (3, 2), (2, 1), (1, 1)])
def test_a_line_home_repairs_and_brings_a_new_hand(before: int, after: int) -> None:
    """0a shows red stubs on track 0, and 42 leads from it to Red's MainFrame."""
    board = built("42a+ 0b- 44a+ 20b+", left="FD", levels=(before, 1)).play("F2", "46a 47b")
    assert board.levels == (after, 1)
    assert (board.hand("red"), board.hand("blue"), board.pile) == ("46a 47b", "34a 35a", "36 37 0")
    assert (deck_size(board.state), board.phase, board.left) == (40, "ACT red", "D")


@clause("RS-34")
def test_the_other_player_is_repaired_in_the_turn_players_turn() -> None:
    board = built("21a+ 1b- 43a+", left="FD", levels=(2, 2)).play("F2", "46a 47b")
    assert (board.levels, board.hand("blue"), board.pile) == ((2, 1), "46a 47b", "34 35 1")


@clause("RS-34")
def test_a_line_that_ends_before_the_mainframe_repairs_nothing() -> None:
    board = built("20b+ 42a+ 0b- 44a+", left="FD", levels=(3, 3)).play("F3")
    assert (board.levels, board.hand("red")) == ((3, 3), "36a 37a")
    assert board.row == "20b+ 42b- 44b-"


@clause("RS-34")
def test_the_own_colour_at_the_enemys_mainframe_repairs_nothing() -> None:
    board = built("21a+ 0b- 44a+", left="FD", levels=(3, 3)).play("F2")
    assert (board.levels, board.row) == ((3, 3), "21a+ 44b-")


@clause("RS-07", "RS-34", "RS-35")
def test_both_may_be_repaired_and_the_turn_player_draws_first() -> None:
    """6a carries both colours: red on track 0, blue on track 1, as 48a and 32a do on either side."""
    board = built("48a+ 6b- 32a+", turn="blue", levels=(3, 2)).play("F2", "46a 47b 45a 43b")
    assert (board.levels, board.row) == ((2, 1), "48b- 32b-")
    assert (board.hand("blue"), board.hand("red")) == ("46a 47b", "45a 43b")
    assert (board.pile, board.left) == ("34 35 36 37 6", "DS")
    red = built("48a+ 6b- 32a+", levels=(3, 2)).play("F2", "46a 47b 45a 43b")
    assert (red.hand("red"), red.hand("blue"), red.pile) == ("46a 47b", "45a 43b", "36 37 34 35 6")


@clause("RS-35")
def test_levels_change_before_anything_is_drawn() -> None:
    board = built("48a+ 6b- 32a+", turn="blue", levels=(3, 2)).play("F2")
    assert (board.phase, board.levels, board.pile) == ("REDRAW", (2, 1), "34 35")
    board.happens("46a 47b")
    assert (board.phase, board.pile, board.hand("blue")) == ("REDRAW", "34 35 36 37", "46a 47b")
    assert board.row == "48a+ 6a+ 32a+"


@clause("RS-35")
def test_either_side_of_a_new_card_may_face_red() -> None:
    board = built("42a+ 0b- 44a+ 20b+", deck="8 45 46").play("F2")
    assert board.outcomes == ["8a", "8b", "45a", "45b", "46a", "46b"]
    assert board.happens("45b").outcomes == ["8a", "8b", "46a", "46b"]
    assert board.happens("8b").hand("red") == "45b 8b"


# -- step 2 -----------------------------------------------------------------------------------


@clause("RS-36")
def test_all_that_is_wired_flips_whether_or_not_it_leads_home() -> None:
    board = built("20b+ 42a+ 0b- 44a+ 46a+ 21a+", left="FD").play("F3")
    assert board.row == "20b+ 42b- 44b- 46b- 21a+"
    assert board.known == "42:RB 44:RB 46:RB"


@clause("RS-36")
def test_a_colour_that_the_diamond_does_not_have_wires_nothing() -> None:
    """43a is a blue line between the same chips."""
    board = built("43a+ 0b- 45a+ 20b+", left="FD").play("F2")
    assert board.row == "43a+ 45a+ 20b+"


@clause("RS-36")
def test_another_chip_wires_nothing() -> None:
    board = built("42a- 0b- 44a- 20b+", left="FD").play("F2")
    assert board.row == "42a- 44a- 20b+"


@clause("RS-36")
def test_a_stub_wires_one_side_only() -> None:
    """12a has a stub at its left chip 0 only; turned, it is at the far chip 1."""
    assert built("42a+ 12b- 44a+ 20b+", left="FD").play("F2", "46a 47b").row == "42b- 44a+ 20b+"
    assert built("42a- 12b+ 44a- 20b+", left="FD").play("F2").row == "42a- 44b+ 20b+"


@clause("RS-36")
def test_a_bare_diamond_wires_nothing() -> None:
    assert built("42a+ 49b+ 44a+ 20b+", left="FD").play("F2").row == "42a+ 44a+ 20b+"


@clause("RS-36")
def test_a_card_that_is_wired_in_both_colours_flips_once() -> None:
    board = built("36b+ 48a+ 6b- 32a+ 37b+", red="38a 39a", left="FD").play("F3")
    assert board.row == "36b+ 48b- 32b- 37b+"


@clause("RS-06", "RS-36")
@pytest.mark.parametrize(
    ("middle", "after", "draws"),
    [("41b-", "23a- 41a+", "46a 47a"), ("41b+", "23a- 41a-", "46a 47a"), ("42a+", "23b+ 42a+", "")],
)
def test_a_fork_connects_all_its_ends(middle: str, after: str, draws: str) -> None:
    """0a- begins at near chip 1: either way the fork has an end there, the straight line has not."""
    board = built(f"23b+ {middle} 0b+ 21a+", red="36a 38a", left="FD").play("F3", draws)
    assert (board.row, board.phase) == (f"{after} 21a+", "ACT red")


@clause("RS-33")
def test_what_is_wired_is_settled_before_the_new_hands() -> None:
    """The row waits as it lies while cards are drawn; then all flips happen at once."""
    board = built("42a+ 0b- 44a+ 20b+").play("F2", "46a")
    assert (board.row, board.phase) == ("42a+ 0a+ 44a+ 20b+", "REDRAW")
    assert board.happens("47b").row == "42b- 44b- 20b+"


@clause("RS-33", "RS-36")
def test_a_wire_that_opens_by_a_flip_is_no_wire() -> None:
    """42 flips to blue and cuts 44 off, but both were connected when it began."""
    board = built("20b+ 0b- 42a+ 44a+ 21a+", left="FD").play("F2")
    assert board.row == "20b+ 42b- 44b- 21a+"


@clause("RS-07")
def test_the_colours_do_not_connect_in_a_diamond() -> None:
    """10a: red comes from the left, changes its track and goes right; so does blue. Red alone wires 42."""
    board = built("42a+ 10b- 21a+ 43a+", red="36a 38a", left="FD").play("F2", "46a 47b")
    assert board.row.split()[0] == "42b-"
    assert board.levels == (1, 1)


# -- steps 3 and 4 ------------------------------------------------------------------------------


@clause("RS-38")
def test_the_row_closes_and_the_rest_lies_as_it_lay() -> None:
    board = built("42a- 36b+ 49b+ 20b- 21a+", red="38a 37a", known="20:R 36:B", left="FD").play("F3")
    assert (board.row, board.known, board.pile) == ("42a- 36b+ 20b- 21a+", "20:R 36:B", "49")
    assert board.sees("red")["length"].tolist() == [0, 0, 0, 1, 0, 0, 0]


@clause("RS-38")
def test_the_row_stays_short() -> None:
    board = built("42a+ 44a+ 49b+ 20b+", left="F").play("F3")
    assert board.legal[:4] == ["F1", "F2", "F3", "D"]
    board.play("F1").play("D", "45a").play("T-").play("S1o1+")
    assert (len(board.row.split()), board.phase) == (3, "ACT red")


@clause("RS-39")
def test_with_one_card_left_all_ends_at_once() -> None:
    """Red has two actions left, but the last check follows: two blue lines on the last card."""
    board = built("1b+ 49b+").play("F2")
    assert (board.row, board.levels, board.result, board.legal) == ("1b+", (3, 1), "blue short", [])


@clause("RS-39")
def test_further_diamonds_are_not_resolved() -> None:
    """12a leads home, but is not resolved once it is the last card: no repair and no new hand."""
    board = choosing("12a+ 49a+", levels=(2, 2)).play("R2")
    assert (board.row, board.pile, board.levels, board.result) == ("12a+", "49", (2, 2), "draw short")


@clause("RS-07", "RS-39")
def test_a_last_diamond_conducts() -> None:
    """8a and 49a show their diamonds; Red resolves 49a, and 8a with its two straights ends the game."""
    board = choosing("8a+ 49a+", levels=(2, 2)).play("R2")
    assert (board.row, board.levels, board.result) == ("8a+", (3, 3), "draw short")


@clause("RS-40")
def test_resolutions_and_cards_in_the_row_are_seven_together() -> None:
    board = built("49b+ 20b+ 1b- 21a+ 3b- 0b- 42a+")
    for card, length in (("49", 6), ("0", 5)):
        position = [text[:-2] for text in board.row.split()].index(card) + 1
        board.state.left = 1 | 2
        board.state.turn = board.state.mover = 0
        board.play(f"F{position}")
        assert board.state.length == length
