"""Popping: QX-60 to QX-65, and QX-32."""

from __future__ import annotations

import pytest

from polytrix.games.quatrix import GAME

from .play import Position

clause = pytest.mark.clause

CROSS = """
    9 . . . R . . .
    6 R . . d . . R
    3 . . . R . . ."""


@clause("QX-60")
@pytest.mark.parametrize("target", ["d9", "d3", "a6", "g6"])
def test_a_disc_pops_from_any_direction(target: str) -> None:
    table = Position(CROSS).roll("red 3-1")
    table.play(f"Dd6x{target}")
    assert table.turn == "PLACE red"
    assert (table.units == 2).sum() == 1  # the disc stays
    assert (table.units == 4).sum() == 3  # one ring is off the board


@clause("QX-60")
@pytest.mark.parametrize("dice", ["4-3", "3-1"])
def test_with_either_die(dice: str) -> None:
    picture = CROSS + "\n1 r . . . . . ."  # has a use for the other die
    assert "Dd6xd9" in Position(picture).roll(f"red {dice}").legal


@clause("QX-60")
def test_blue_pops_red_and_returns_the_ring_to_reds_track() -> None:
    table = Position("""
        8 . D . . . . .
        5 . r . . . . .
        1 p r d . . . .""").roll("blue 3-1")
    table.play("Db8xb5")
    assert table.legal == {"@c1", "@d1", "@e1", "@f1", "@g1"}
    assert table.play("@c1").shows("""
        5 . D . . . . .
        1 p r p . . . .""")


@clause("QX-61")
@pytest.mark.parametrize("unit", "rp")
@pytest.mark.parametrize("there", "RDP")
def test_only_discs_pop(unit: str, there: str) -> None:
    table = Position(f"""
        5 . . . {there} . . .
        2 . . . {unit} . . .""").roll("red 3-3")
    assert not {text for text in table.legal if "x" in text or text.endswith("d5")}


@clause("QX-61")
@pytest.mark.parametrize("there", "DP")
def test_only_single_rings_are_popped(there: str) -> None:
    table = Position(f"""
        5 . . . {there} . . .
        2 . . . d . . .""").roll("red 3-1")
    assert not {text for text in table.legal if text.endswith("d5")}


@clause("QX-62")
def test_the_ring_returns_before_the_second_die_and_not_onto_a_ring() -> None:
    table = Position("""
        11 P R D . . . .
        6 . . . R . . .
        3 r . . d . . .""").roll("red 3-1")
    table.play("Dd3xd6")
    assert table.legal == {"@c11", "@d11", "@e11", "@f11", "@g11"}
    assert table.play("@g11").turn == "MOVE red"
    assert "Ra3-a4" in table.legal


@clause("QX-63")
def test_a_returned_ring_joins_the_disc_there() -> None:
    table = Position("""
        11 . . D . . . .
        6 . . . R . . .
        3 . . . d . . .""").roll("red 3-1")
    table.play("Dd3xd6", "@c11")
    assert table.shows("""
        11 . . P . . . .
        6 . . . d . . .""")


@clause("QX-64")
def test_a_single_choice_is_still_a_decision() -> None:
    table = Position("""
        11 R R R P P . R
        6 . . . R . . .
        3 . . . d . . .""").roll("red 3-1")
    table.play("Dd3xd6")
    assert table.legal == {"@f11"}
    before = int(table.state.decisions)
    assert table.play("@f11").turn == "MOVE red"
    assert table.state.decisions == before + 1


@clause("QX-65")
def test_two_discs_pop_with_one_roll() -> None:
    table = Position("""
        6 R . . . . . .
        5 . . . . . . R
        3 d . . . . . .
        1 . . . . . . d""").roll("red 4-3")
    table.play("Da3xa6", "@a11", "Dg1xg5")
    assert table.turn == "PLACE red"
    assert "@a11" not in table.legal
    assert table.play("@b11").turn == "ROLL blue"


@clause("QX-65")
def test_a_pop_with_the_second_die_ends_the_turn_after_the_return() -> None:
    table = Position("""
        6 . . . R . . .
        1 . . . d . . .""").roll("red 3-2")
    table.play("Dd1-d4", "Dd4xd6", "@d11")
    assert table.turn == "ROLL blue"


@clause("QX-32")
def test_passing_over_a_ring_pops_nothing_and_stops_nobody() -> None:
    table = Position("""
        3 . . . R . . .
        1 . . . d . . .""").roll("red 4-2")
    table.play("Dd1-d5", "Dd5-d7")
    assert table.shows("""
        7 . . . d . . .
        3 . . . R . . .""")


@clause("QX-32", "QX-65")
def test_a_disc_may_pop_on_one_number_square_and_go_on() -> None:
    table = Position("""
        3 . . . R . . .
        1 . . . d . . .""").roll("red 4-2")
    table.play("Dd1xd3", "@a11", "Dd3-d7")
    assert table.shows("""
        11 R . . . . . .
        7 . . . d . . .""")


@clause("QX-04", "QX-62")
def test_a_popped_ring_waits_off_the_board() -> None:
    """Counted as nothing by the potential until it is back."""
    table = Position("""
        6 . . . R . . .
        3 . . . d . . .""").roll("red 3-1")
    before = GAME.potential(table.state, 1)
    table.play("Dd3xd6")
    assert GAME.potential(table.state, 1) < before
