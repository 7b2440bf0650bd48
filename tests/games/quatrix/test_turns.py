"""Set-up, turns, the duty to move and the end of a game: QX-01 to QX-08 and QX-70 to QX-86."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.errors import OptionError
from polytrix.core.simulator import Simulator
from polytrix.core.state import CHANCE, OVER
from polytrix.games.quatrix import GAME
from polytrix.games.quatrix.state import Phase

from .play import Position

clause = pytest.mark.clause

OPENING_BOARD = """
    11 P P P P P P P
    1 p p p p p p p"""

ONE_MOVE_FROM_THE_END = """
    10 p p p p p p r
    5 . . . . . . d
    4 . . . P . . ."""


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
    assert table.state.starter == 1


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
    table = Position(ONE_MOVE_FROM_THE_END.replace("4 . . . P", "3 . . . R")).roll("red 5-2")
    assert {"Dg5+g10#", "Ra10-a5", "Dg5-g7", "Dg5-e5"} <= table.legal
    popping = Position("""
        5 . . . R . . .
        1 r . . d . . .""").roll("red 4-2")
    assert {"Dd1xd5", "Dd1-d3", "Ra1-a5"} <= popping.legal


@clause("QX-14", "QX-73")
def test_harm_is_no_excuse() -> None:
    table = Position("10 p . . . . . .").roll("red 5-4")
    assert table.legal == {"Ra10-a5", "Ra10-f10", "Ra10-a6", "Ra10-e10"}


@clause("QX-80")
def test_the_seventh_pip_wins_wherever_it_stands_in_the_zone() -> None:
    table = Position("""
        10 p . p . p . r
        9 . p . p . p .
        5 . . . . . . d""").roll("red 5-1")
    assert table.play("Dg5+g10#").turn == "OVER"
    assert table.result == "red 1"
    assert table.legal == set()


@clause("QX-80")
def test_ring_and_disc_apart_are_no_pip() -> None:
    table = Position("""
        10 p p p p p p r
        7 . . . . . . d""").roll("red 2-1")
    assert table.play("Dg7-g9").turn == "MOVE red"


@clause("QX-80")
def test_a_pip_moved_as_a_unit_wins_on_doubles() -> None:
    table = Position("""
        10 p p p p p p .
        6 . . . . . . p""").roll("red 3-3")
    assert table.play("Pg6-g9#").result == "red 1"


@clause("QX-80")
def test_a_ring_wins_by_joining_its_disc() -> None:
    table = Position("""
        10 p p p p p p d
        7 . . . . . . r""").roll("red 3-1")
    assert table.play("Rg7+g10#").result == "red 1"


@clause("QX-80")
@pytest.mark.parametrize(("depth", "over"), [(1, False), (2, True), (3, True)])
def test_the_zone_is_as_deep_as_the_option_says(depth: int, over: bool) -> None:
    table = Position(
        """
        10 p p p p p p .
        9 . . . . . . r
        7 . . . . . . d""",
        finish_depth=depth,
    ).roll("red 2-1")
    table.play("Dg7+g9#" if over else "Dg7+g9")
    assert (table.turn == "OVER") == over


@clause("QX-80")
def test_blue_wins_at_reds_end() -> None:
    table = Position("""
        6 . . D . . . .
        3 . . R . . . .
        2 P P . P P P P
        1 p . . . . . .""").roll("blue 3-1")
    assert table.play("Dc6+c3#").result == "blue 3"


@clause("QX-81")
def test_the_other_die_is_not_played_after_the_last_move() -> None:
    table = Position(ONE_MOVE_FROM_THE_END).roll("red 5-4").play("Dg5+g10#")
    assert table.state.used.tolist() == [1, 0]
    assert table.state.mover == OVER


@clause("QX-82")
def test_a_winning_move_is_legal_though_it_uses_one_die_only() -> None:
    """With both dice playable the win is added; it does not free the moves that the duty forbids."""
    walls = """
        10 p p p p p p d
        9 P P P P P P .
        8 . . . . . . .
        5 . . . . . . r"""
    legal = Position(walls).roll("red 5-1").legal
    assert "Rg5+g10#" in legal
    others = {text for text in legal if not text.endswith("#")}
    assert others
    for text in others:
        assert Position(walls).roll("red 5-1").play(text).turn == "MOVE red"


@clause("QX-83")
def test_odds_one() -> None:
    table = Position(ONE_MOVE_FROM_THE_END).roll("red 5-1")
    assert table.play("Dg5+g10#").result == "red 1"


@clause("QX-84")
@pytest.mark.parametrize(("depth", "odds"), [(1, 1), (2, 1), (3, 2)])
def test_odds_two_for_a_loser_in_the_winners_zone(depth: int, odds: int) -> None:
    table = Position(
        """
        10 p p p p p p d
        8 R . . . . . .
        5 . . . . . . r""",
        finish_depth=depth,
    ).roll("red 5-1")
    assert table.play("Rg5+g10#").result == f"red {odds}"


@clause("QX-84")
def test_the_losers_own_zone_does_not_count() -> None:
    table = Position("""
        10 p p p p p p d
        5 . . . . . . r
        2 D . . . . . .""").roll("red 5-1")
    assert table.play("Rg5+g10#").result == "red 1"


@clause("QX-85")
@pytest.mark.parametrize("unit", "RDP")
def test_odds_three_for_any_unit_on_the_losers_track(unit: str) -> None:
    table = Position(f"""
        11 {unit} . . . . . .
        10 p p p p p p d
        9 D . . . . . .
        5 . . . . . . r""").roll("red 5-1")
    assert table.play("Rg5+g10#").result == "red 3"


@clause("QX-83", "QX-84", "QX-85")
@pytest.mark.parametrize(("scoring", "stake"), [("win", 1.0), ("odds", 2 / 3)])
def test_payoffs(scoring: str, stake: float) -> None:
    table = Position(
        """
        10 p p p p p p d
        9 D . . . . . .
        5 . . . . . . r""",
        scoring=scoring,
    ).roll("red 5-1")
    table.play("Rg5+g10#")
    out = np.zeros(2, np.float32)
    GAME.payoff(table.state, out)
    assert out.tolist() == pytest.approx([stake, -stake])
    assert table.state.odds == 2
    table.state.winner, out[:] = 1, 0
    GAME.payoff(table.state, out)
    assert out.tolist() == pytest.approx([-stake, stake])


@clause("QX-31")
def test_the_number_square_may_be_off_the_board() -> None:
    """A ring that has gone 3 forward from a6 would pass row 12 with a 6."""
    table = Position("6 r . . . . . .").roll("red 6-3").play("Ra6-a9")
    assert "Ra9-g9" in table.legal and not [move for move in table.legal if move.startswith("Ra9-a")]


@clause("QX-86")
def test_the_limit_ends_the_game_without_a_winner() -> None:
    simulator = Simulator(GAME, options={"max_decisions": 7, "scoring": "odds"}, seed=3)
    for _ in range(7):
        assert not simulator.over[0]
        simulator.step(simulator.random_actions())
    assert simulator.truncated[0]
    assert simulator.reward.tolist() == [[0, 0]]
    assert simulator.states[0].winner == -1


@clause("QX-86")
def test_the_limit_may_fall_between_a_pop_and_the_return() -> None:
    table = Position(
        """
        5 . . . R . . .
        1 . . . d . . .""",
        max_decisions=1,
    ).roll("red 4-2")
    table.play("Dd1xd5")
    assert table.result == "truncated"
    assert table.shows("5 . . . d . . .")
    assert table.state.phase == Phase.PLACE  # the ring has not been returned
    assert table.observation("red")["phase"].tolist() == [0, 0, 0, 0, 1]


@clause("QX-86")
def test_a_win_on_the_last_decision_counts() -> None:
    table = Position(ONE_MOVE_FROM_THE_END, max_decisions=1).roll("red 5-1")
    assert table.play("Dg5+g10#").result == "red 1"
