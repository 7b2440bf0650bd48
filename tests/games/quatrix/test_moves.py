"""Die moves: directions, units, one unit with both dice, doubles, jumping. QX-10 to QX-54."""

from __future__ import annotations

import pytest

from .play import Position

clause = pytest.mark.clause


def second(picture: str, dice: str, first: str, **options: object) -> set[str]:
    """The legal second die moves of red."""
    return Position(picture, **options).roll(f"red {dice}").play(first).legal


@clause("QX-05", "QX-23")
@pytest.mark.parametrize(("first", "result"), [("Dd4+d7", "7 . . . p . . ."), ("Rd7+d4", "4 . . . p . . .")])
def test_ring_and_disc_join_at_once_whichever_moves(first: str, result: str) -> None:
    table = Position("""
        7 . . . r . . .
        4 . . . d . . .""").roll("red 3-1")
    assert table.play(first).shows(result)


@clause("QX-05", "QX-50")
def test_a_square_never_holds_two_of_a_kind() -> None:
    rings = Position("""
        4 . . . r . . .
        1 . . . r . . .""").roll("red 3-3")
    assert not {"Rd1+d4", "Rd1-d4", "Rd4+d1", "Rd4-d1"} & rings.legal
    discs = Position("""
        4 . . . d . . .
        1 . . . d . . .""").roll("red 3-3")
    assert not {"Dd1+d4", "Dd1-d4", "Dd4+d1", "Dd4-d1"} & discs.legal


@clause("QX-10")
def test_four_straight_directions_and_no_wrapping_at_the_edges() -> None:
    middle = Position("6 . . . r . . .").roll("red 2-2")
    assert middle.legal == {"Rd6-d8", "Rd6-d4", "Rd6-b6", "Rd6-f6"}
    edge = Position("6 r . . . . . .").roll("red 2-2")
    assert edge.legal == {"Ra6-a8", "Ra6-a4", "Ra6-c6"}
    corner = Position("1 . . . . . . r").roll("red 2-2")
    assert corner.legal == {"Rg1-g3", "Rg1-e1"}


@clause("QX-10", "QX-13")
def test_backward_onto_the_own_track_and_along_it() -> None:
    table = Position("3 r . . . . . .").roll("red 2-1")
    assert table.play("Ra3-a1").legal == {"Ra1-b1"}


@clause("QX-11")
def test_each_die_once_in_either_order() -> None:
    picture = """
        5 d . . . . . .
        1 p . . . . . r"""
    assert "Da5-d5" in second(picture, "3-2", "Ra1-a3")  # a ring out of a pip, then a single disc
    assert {text for text in second(picture, "3-2", "Rg1-g4") if text.startswith("Rg4")} == {"Rg4-g6", "Rg4-e4"}
    assert {text for text in second(picture, "3-2", "Rg1-g3") if text.startswith("Rg3")} == {"Rg3-g6", "Rg3-d3"}


@clause("QX-12")
@pytest.mark.parametrize("unit", "rdp")
def test_no_unit_enters_the_enemy_track(unit: str) -> None:
    table = Position(f"8 . . . {unit} . . .").roll("red 3-3")
    assert not {text for text in table.legal if text.endswith("11")}


@clause("QX-12")
def test_nor_does_blue_enter_reds() -> None:
    table = Position("2 . . . D . . .").roll("blue 1-1")
    assert table.legal == {"Dd2-d3", "Dd2-c2", "Dd2-e2"}


@clause("QX-14")
def test_units_may_leave_their_zone() -> None:
    table = Position("10 . . . p . . .").roll("red 3-3")
    assert {"Pd10-d7", "Rd10-d7"} <= table.legal


@clause("QX-15")
def test_no_reversal_but_a_right_angle_and_straight_on() -> None:
    assert second("5 . . . r . . .", "2-1", "Rd5-d7") == {"Rd7-d8", "Rd7-c7", "Rd7-e7"}
    assert second("5 . . . d . . .", "2-1", "Dd5-b5") == {"Db5-a5", "Db5-b6", "Db5-b4"}


@clause("QX-15")
def test_two_units_may_move_in_opposite_directions() -> None:
    legal = second(
        """
        8 r . . . . . .
        1 . . . . . . r""",
        "3-2",
        "Rg1-g4",
    )
    assert "Ra8-a6" in legal


@clause("QX-16")
def test_a_ring_that_completed_a_pip_is_the_same_unit() -> None:
    legal = second(
        """
        7 . . . d . . .
        4 . . . r . . .""",
        "3-1",
        "Rd4+d7",
    )
    assert legal == {"Rd7-d8", "Rd7-c7", "Rd7-e7"}


@clause("QX-16", "QX-24")
def test_a_ring_that_its_disc_has_joined_may_go_back_over_the_way_the_disc_came() -> None:
    legal = second(
        """
        7 . . . r . . .
        4 . . . d . . .""",
        "3-1",
        "Dd4+d7",
    )
    assert legal == {"Rd7-d8", "Rd7-d6", "Rd7-c7", "Rd7-e7"}  # and the disc is stuck


@clause("QX-16", "QX-31")
def test_a_fresh_ring_is_not_held_to_the_number_squares() -> None:
    """The disc has come from d4 by a 3: were the ring the same unit, d5 would have to be open to it."""
    legal = second(
        """
        7 . . . r . . .
        5 . . . D . . .
        4 . . . d . . .""",
        "3-1",
        "Dd4+d7",
    )
    assert "Rd7-d8" in legal


@clause("QX-20", "QX-21")
def test_a_pip_gives_only_its_ring_away() -> None:
    table = Position("5 . . . p . . .").roll("red 2-1")
    assert {text[0] for text in table.legal} == {"R"}
    assert table.play("Rd5-d7").shows("""
        7 . . . r . . .
        5 . . . d . . .""")


@clause("QX-22")
def test_the_freed_disc_moves_at_once_even_in_the_same_direction() -> None:
    assert "Dd5-d6" in second("5 . . . p . . .", "2-1", "Rd5-d7")


@clause("QX-30", "QX-33")
def test_a_corner_is_cut_by_whole_dice_only() -> None:
    legal = Position("1 r . . . . . .").roll("red 3-2").legal
    assert legal == {"Ra1-a4", "Ra1-d1", "Ra1-a3", "Ra1-c1"}


@clause("QX-33")
def test_a_turn_asks_only_for_landing_squares() -> None:
    """Straight on is closed by the disc on the number square d3; sideways nothing is asked of it."""
    picture = """
        3 . . . D . . .
        1 . . . r . . ."""
    assert second(picture, "4-2", "Rd1-d5") == {"Rd5-b5", "Rd5-f5"}


@clause("QX-33")
def test_two_units_need_no_number_squares() -> None:
    legal = second(
        """
        3 . . . D . . .
        1 . . . p . . .""",
        "4-2",
        "Rd1-d5",
    )
    assert "Rd5-d7" not in legal
    assert legal == {"Rd5-b5", "Rd5-f5", "Dd1-b1", "Dd1-f1"}


@clause("QX-31", "QX-50")
@pytest.mark.parametrize(
    ("unit", "on_the_way", "is_open"),
    [("r", "d", True), ("r", "r", False), ("r", "R", False), ("r", "D", False), ("r", "p", False),
     ("d", "r", True), ("d", "d", False), ("d", "R", True), ("d", "D", False), ("d", "p", False)],
)  # fmt: skip
def test_the_number_square_that_is_passed_must_be_open(unit: str, on_the_way: str, is_open: bool) -> None:
    picture = f"""
        3 . . . {on_the_way} . . .
        1 . . . {unit} . . ."""
    letter = unit.upper()
    onward = f"{letter}d5-d7"
    assert (onward in second(picture, "4-2", f"{letter}d1-d5")) == is_open
    assert onward in second(picture, "4-2", f"{letter}d1-d5", combined_straight="landed")


@clause("QX-31")
def test_only_the_number_squares_matter() -> None:
    """Singles on d2, d4, d6 are jumped; neither 2 nor 4 leads to them."""
    picture = """
        6 . . . R . . .
        4 . . . D . . .
        2 . . . r . . .
        1 . . . d . . ."""
    assert "Dd5-d7" in second(picture, "4-2", "Dd1-d5")


@clause("QX-31", "QX-40")
def test_doubles_pass_no_other_number_square() -> None:
    assert "Rd4-d7" in second("1 . . . r . . .", "3-3", "Rd1-d4")


@clause("QX-40")
def test_all_four_kinds_of_units_move_on_doubles() -> None:
    table = Position("""
        6 . . . d . . .
        3 r . . . . . p""").roll("red 2-2")
    assert {"Dd6-d8", "Ra3-a5", "Rg3-g5", "Pg3-g5"} <= table.legal


@clause("QX-41", "QX-50")
@pytest.mark.parametrize("there", "rdpRD")
def test_a_pip_as_a_unit_needs_an_empty_square(there: str) -> None:
    table = Position(f"""
        4 . . . {there} . . .
        1 . . . p . . .""").roll("red 3-3")
    assert not {text for text in table.legal if text.startswith("Pd1") and text.endswith("d4")}


@clause("QX-41")
def test_a_pip_turns_a_corner() -> None:
    table = Position("1 p . . . . . .").roll("red 3-3").play("Pa1-a4", "Pa4-d4")
    assert table.shows("4 . . . p . . .")
    assert table.turn == "ROLL blue"


@clause("QX-42")
@pytest.mark.parametrize("unit", "rd")
def test_a_single_piece_may_make_both_moves_of_doubles(unit: str) -> None:
    letter = unit.upper()
    table = Position(f"1 . . . {unit} . . .").roll("red 3-3").play(f"{letter}d1-d4", f"{letter}d4-d7")
    assert table.shows(f"7 . . . {unit} . . .")


@clause("QX-43")
def test_ring_and_disc_part_in_different_directions() -> None:
    table = Position("1 . . . p . . .").roll("red 3-3").play("Rd1-d4", "Dd1-a1")
    assert table.turn == "ROLL blue"
    assert table.shows("""
        4 . . . r . . .
        1 d . . . . . .""")


@clause("QX-44")
def test_the_disc_must_not_follow_its_ring_on_doubles() -> None:
    assert not {"Dd1+d4", "Dd1-d4"} & second("1 . . . p . . .", "3-3", "Rd1-d4")
    assert "Dd1-d4" in second("1 . . . p . . .", "3-3", "Rd1-a1")


@clause("QX-44")
def test_another_disc_may_join_that_ring() -> None:
    legal = second(
        """
        4 d . . . . . .
        1 . . . p . . .""",
        "3-3",
        "Rd1-d4",
    )
    assert "Da4+d4" in legal


@clause("QX-45")
def test_a_moved_pip_gives_its_ring_away_or_goes_on() -> None:
    assert {"Rd4-d7", "Pd4-d7", "Rd4-a4", "Pd4-g4"} <= second("1 . . . p . . .", "3-3", "Pd1-d4")


@clause("QX-45")
def test_a_completed_pip_gives_its_ring_away_or_goes_on() -> None:
    legal = second(
        """
        4 . . . d . . .
        1 . . . r . . .""",
        "3-3",
        "Rd1+d4",
    )
    assert legal == {"Rd4-d7", "Rd4-a4", "Rd4-g4", "Pd4-d7", "Pd4-a4", "Pd4-g4"}


@clause("QX-50")
@pytest.mark.parametrize(
    ("unit", "there", "sign"),
    [("r", ".", "-"), ("r", "d", "+"), ("r", "r", ""), ("r", "p", ""), ("r", "R", ""), ("r", "D", ""),
     ("r", "P", ""), ("d", ".", "-"), ("d", "r", "+"), ("d", "R", "x"), ("d", "d", ""), ("d", "p", ""),
     ("d", "D", ""), ("d", "P", "")],
)  # fmt: skip
def test_open_squares(unit: str, there: str, sign: str) -> None:
    table = Position(f"""
        4 . . . {there} . . .
        1 . . . {unit} . . .""").roll("red 3-2")
    onto = {text for text in table.legal if text.startswith(f"{unit.upper()}d1") and text.endswith("d4")}
    assert onto == ({f"{unit.upper()}d1{sign}d4"} if sign else set())


@clause("QX-51", "QX-54")
@pytest.mark.parametrize("unit", "rdp")
@pytest.mark.parametrize(("start", "move"), [("d2", "d2-d7"), ("d7", "d7-d2")])
def test_singles_of_both_colours_are_jumped_and_nothing_happens_to_them(
    unit: str, start: str, move: str
) -> None:
    others = """
        6 . . . D . . .
        5 . . . R . . .
        4 . . . d . . .
        3 . . . r . . ."""
    table = Position(f"{others}\n{start[1:]} . . . {unit} . . .").roll("red 5-5")
    end = move.split("-")[1][1:]
    assert table.play(unit.upper() + move).shows(f"{others}\n{end} . . . {unit} . . .")


@clause("QX-51", "QX-52", "QX-53")
@pytest.mark.parametrize(
    ("there", "passes"), [("r", True), ("d", True), ("p", True), ("R", True), ("D", True), ("P", False)]
)
@pytest.mark.parametrize("move", ["Rb6-e6", "Re6-b6"])
def test_sideways(there: str, passes: bool, move: str) -> None:
    row = ["."] * 7
    row["abcdefg".index(move[1])] = "r"
    row["abcdefg".index("c" if move[1] == "b" else "d")] = there
    assert (move in Position("6 " + " ".join(row)).roll("red 3-2").legal) == passes


@clause("QX-52")
@pytest.mark.parametrize("unit", "rdp")
@pytest.mark.parametrize("row", [2, 3, 4, 5, 6])
def test_an_enemy_pip_on_the_way_is_a_wall(unit: str, row: int) -> None:
    """From d1 by a 4 to d5: a pip between or on the landing square stops the unit, one beyond does not."""
    table = Position(f"""
        {row} . . . P . . .
        1 . . . {unit} . . .""").roll("red 4-4")
    onto = {text for text in table.legal if text.startswith(f"{unit.upper()}d1") and text.endswith("d5")}
    assert bool(onto) == (row == 6)


@clause("QX-53")
def test_own_pips_are_jumped_unless_an_enemy_pip_stands_there_too() -> None:
    table = Position("""
        3 . . . p . . p
        2 . . . p . . P
        1 . . . r . . r""").roll("red 5-4")
    assert "Rd1-d6" in table.legal
    assert "Rg1-g6" not in table.legal


@clause("QX-31")
def test_the_number_square_may_be_off_the_board() -> None:
    """A ring that has gone 3 forward from a6 would pass row 12 with a 6."""
    table = Position("6 r . . . . . .").roll("red 6-3").play("Ra6-a9")
    assert "Ra9-g9" in table.legal and not [move for move in table.legal if move.startswith("Ra9-a")]
