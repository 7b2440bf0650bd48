"""The optional rules: RS-19 and RS-50 to RS-61."""

from __future__ import annotations

from itertools import product

import pytest

from polytrix.core.errors import OptionError
from polytrix.core.simulator import Simulator
from polytrix.games.resistor import GAME
from polytrix.games.resistor.observation import RowCard
from polytrix.games.resistor.state import NONE, Place, deck_size

from .play import built

clause = pytest.mark.clause

FLAGS = (
    "comeback_circuits",
    "dangerous_resistors",
    "feedback_overflow",
    "recycling_subsystems",
    "lock_down",
)
REPAIR = "42a+ 0b- 44a+ 20b+"  # F2 turns up a diamond that leads home for Red


# -- which there are ------------------------------------------------------------------------------


def test_all_are_off_by_default() -> None:
    assert GAME.options.defaults == {**dict.fromkeys(FLAGS, False), "max_decisions": 1000}


def test_all_combinations_are_allowed_and_shown_to_both() -> None:
    for values in product((False, True), repeat=5):
        board = built("42a+ 44a+ 20b+", **dict(zip(FLAGS, values, strict=True)))
        for colour in ("red", "blue"):
            assert board.sees(colour)["options"].tolist() == [int(value) for value in values]


@pytest.mark.parametrize("value", [1, 0, "yes", None])
def test_they_are_on_or_off(value: object) -> None:
    with pytest.raises(OptionError, match=r"lock_down.*True or False"):
        GAME.options.validate({"lock_down": value})


def test_nothing_of_them_happens_by_default() -> None:
    board = built("48a+ 0b- 44a+ 20b+", pile="45 46", levels=(2, 1))
    assert not [name for name in board.legal if name[0] in "PL"]
    assert board.play("F1").phase == "ACT red"


# -- Comeback Circuits ------------------------------------------------------------------------------


@clause("RS-50")
@pytest.mark.parametrize(("levels", "asked"), [((2, 1), True), ((2, 2), False), ((1, 2), False)])
@pytest.mark.parametrize("turn", ["red", "blue"])
def test_only_who_is_behind_may_undo(levels: tuple[int, int], asked: bool, turn: str) -> None:
    """Strictly behind: with the higher DEFCON level."""
    given = levels if turn == "red" else levels[::-1]
    board = built("42a+ 20b+ 44a+ 21b+", turn=turn, levels=given, comeback_circuits=True).play("F2")
    assert board.phase == (f"UNDO {turn}" if asked else f"ACT {turn}")
    if asked:
        assert board.legal == ["U", "K"]


@clause("RS-50")
def test_other_actions_are_never_undone() -> None:
    board = built("42a+ 20b+ 44a+ 21b+", levels=(2, 1), comeback_circuits=True)
    assert board.play("S2o1+").phase == "ACT red"
    assert board.play("D", "45a").play("T-").phase == "ACT red"


@clause("RS-51")
def test_the_choice_comes_before_the_diamond() -> None:
    board = built(REPAIR, levels=(2, 1), comeback_circuits=True).play("F2")
    assert (board.row, board.phase) == ("42a+ 0a+ 44a+ 20b+", "UNDO red")
    board.play("K", "46a 47b")
    assert (board.row, board.levels, board.left) == ("42b- 44b- 20b+", (1, 1), "DS")


@clause("RS-51")
def test_forced_flips_are_not_undone() -> None:
    board = built("20b+ 44a+ 21a+", levels=(1, 2), comeback_circuits=True).play("D", "8a").play("T-")
    assert board.phase == "FORCED blue"
    assert board.play("F1").phase == "ACT red"


@clause("RS-52")
def test_an_undone_card_lies_as_before_and_the_action_is_spent() -> None:
    board = built(REPAIR, levels=(2, 1), comeback_circuits=True).play("F2").play("U")
    assert (board.row, board.phase, board.left) == (REPAIR, "ACT red", "DS")
    assert (board.levels, board.known) == ((2, 1), "0:RB")  # what was seen stays seen


@clause("RS-52")
@pytest.mark.parametrize("choice", ["U", "K"])
def test_the_card_in_question_is_marked_for_both_while_it_lasts(choice: str) -> None:
    board = built("42a+ 20b+ 44a+ 21b+", levels=(2, 1), comeback_circuits=True)
    assert not board.sees("red")["row"][:, 40].any()
    board.play("F2")
    assert board.sees("red")["row"][:, 40].tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert board.sees("blue")["row"][:, 40].tolist() == [0, 0, 1, 0, 0, 0, 0]
    board.play(choice)
    assert not board.sees("red")["row"][:, 40].any()


# -- Dangerous Resistors ----------------------------------------------------------------------------


@clause("RS-53")
def test_a_line_to_the_enemy_strikes_and_brings_a_new_hand() -> None:
    """0a leads along 44 to Blue's MainFrame: Blue is hit, Red redraws, Blue keeps his hand."""
    row = "21a+ 0b- 44a+"
    board = built(row, left="FD", levels=(1, 3), dangerous_resistors=True).play("F2", "46a 47b")
    assert (board.row, board.levels, board.pile) == ("21a+ 44b-", (1, 4), "36 37 0")
    assert (board.hand("red"), board.hand("blue")) == ("46a 47b", "34a 35a")
    without = built(row, left="FD", levels=(1, 3)).play("F2")
    assert (without.levels, without.hand("red")) == ((1, 3), "36a 37a")


@clause("RS-53")
def test_it_works_for_blue_in_reds_turn() -> None:
    board = built("43a+ 1b- 20a+", left="FD", dangerous_resistors=True).play("F2", "46a 47b")
    assert (board.levels, board.hand("blue"), board.hand("red")) == ((2, 1), "46a 47b", "36a 37a")


@clause("RS-54")
def test_a_hit_at_four_wins_before_anything_else_happens() -> None:
    board = built("21a+ 0b- 44a+", left="FD", levels=(1, 4), dangerous_resistors=True).play("F2")
    assert board.state.resolving == NONE
    assert (board.row, board.levels, board.result) == ("21a+ 0a+ 44a+", (1, 4), "red hit")
    assert (board.hand("red"), board.pile) == ("36a 37a", "")


@clause("RS-54")
@pytest.mark.parametrize(
    ("levels", "after", "result"),
    [((4, 4), (4, 4), "draw hit"), ((4, 3), (4, 4), "blue hit"), ((1, 4), (2, 4), "red hit")],
)
def test_both_may_strike_at_once(levels: tuple[int, int], after: tuple[int, int], result: str) -> None:
    """6a leads to Red's end in blue and to Blue's end in red, and nowhere home."""
    board = built("37a+ 6b- 42a+", red="36a 38a", left="FD", levels=levels, dangerous_resistors=True).play("F2")
    assert (board.row, board.levels, board.result) == ("37a+ 6a+ 42a+", after, result)


@clause("RS-54")
def test_repairs_come_first_and_one_new_hand_does_for_both() -> None:
    """Red leads home and to Blue; Blue at 4 would be lost, but his own line home repairs first."""
    red_only = built("42a+ 0b- 44a+", left="FD", levels=(3, 1), dangerous_resistors=True)
    red_only.play("F2", "46a 47b")
    assert (red_only.levels, red_only.hand("red"), red_only.pile) == ((2, 2), "46a 47b", "36 37 0")
    both = built("48a+ 6b- 32a+", left="FD", levels=(4, 4), dangerous_resistors=True)
    both.play("F2", "46a 47b 45a 43b")
    assert (both.levels, both.phase) == ((4, 4), "ACT red")  # 4 to 3 by the repair, back to 4 by the attack


# -- Feedback Overflow --------------------------------------------------------------------------------


@clause("RS-55")
@pytest.mark.parametrize(("before", "after"), [(1, 2), (2, 1), (4, 3)])
def test_a_repair_at_one_overflows(before: int, after: int) -> None:
    board = built(REPAIR, left="FD", levels=(before, 1), feedback_overflow=True).play("F2", "46a 47b")
    assert (board.levels, board.hand("red"), board.pile) == ((after, 1), "46a 47b", "36 37 0")


# -- Recycling Subsystems -------------------------------------------------------------------------------


@clause("RS-56")
@pytest.mark.parametrize("turn", ["red", "blue"])
@pytest.mark.parametrize(
    ("levels", "pile", "allowed"),
    [((2, 1), "45 46", True), ((2, 2), "45 46", False), ((1, 2), "45 46", False), ((2, 1), "", False)],
)
def test_who_is_behind_may_draw_from_the_discards(
    turn: str, levels: tuple[int, int], pile: str, allowed: bool
) -> None:
    given = levels if turn == "red" else levels[::-1]
    board = built("42a+ 20b+ 44a+", turn=turn, left="D", levels=given, pile=pile, recycling_subsystems=True)
    assert board.legal == (["D", "Pa", "Pb"] if allowed else ["D"])


@clause("RS-24", "RS-56", "RS-57")
def test_the_top_card_is_taken_and_the_deck_left_alone() -> None:
    board = built(
        "42a+ 20b+ 44a+ 21a+", left="DF", levels=(2, 1), pile="45 46", recycling_subsystems=True
    ).play("Pb")
    assert (board.phase, board.pile, board.drawn) == ("TRASH red", "45", "46b")
    assert deck_size(board.state) == 40
    board.play("Te2")
    assert (board.hand("blue"), board.pile, board.known) == ("34a 46b", "45 35", "46:RB")


@clause("RS-57")
@pytest.mark.parametrize(
    ("turn", "action", "drawn"), [("red", "Pa", "46a"), ("blue", "Pa", "46b"), ("blue", "Pb", "46a")]
)
def test_the_side_that_is_named_faces_who_draws(turn: str, action: str, drawn: str) -> None:
    levels = (2, 1) if turn == "red" else (1, 2)
    board = built("42a+ 20b+ 44a+", turn=turn, levels=levels, pile="45 46", recycling_subsystems=True)
    assert board.play(action).drawn == drawn
    assert board.state.turned[Place.DRAWN] == 0


@clause("RS-57")
def test_it_may_be_the_card_that_is_trashed() -> None:
    """A Resistor goes back at once, and forces a flip again."""
    board = built("42a+ 20b+ 44a+", levels=(2, 1), pile="45 8", recycling_subsystems=True).play("Pa").play("T-")
    assert (board.pile, board.phase) == ("45 8", "FORCED blue")


# -- Lock Down ------------------------------------------------------------------------------------------


@clause("RS-58")
def test_a_fourth_action_for_cards_with_both_colours() -> None:
    board = built("48a+ 20b+ 40a+ 21a+", left="FDSL", lock_down=True)
    assert [name for name in board.legal if name[0] == "L"] == ["L1", "L3"]
    board.play("L3")
    assert (board.locks, board.left, board.phase, len(board.legal)) == ("red:40", "FDS", "ACT red", 28)


@clause("RS-58")
def test_it_must_be_taken_too() -> None:
    """And every turn begins with four actions."""
    board = built("48a+ 20b+ 40a+ 21a+", left="FL", lock_down=True).play("F2")
    assert board.legal == ["L1", "L3"]
    assert board.play("L1").left == "FDSL"


@clause("RS-58")
def test_a_locked_card_may_be_locked_again() -> None:
    board = built("48a+ 20b+ 40a+", left="LD", locks="red:48 blue:40", lock_down=True)
    assert board.legal == ["D", "L1", "L3"]
    both = built("48a+ 20b+ 40a+", left="LD", locks="blue:48", lock_down=True).play("L1")
    assert both.locks == "red:48 blue:48"


@clause("RS-59")
def test_the_next_lock_down_moves_the_card_or_leaves_it() -> None:
    board = built("48a+ 20b+ 40a+", left="LD", locks="red:48 blue:40", lock_down=True)
    assert board.play("L3").locks == "red:40 blue:40"
    again = built("48a+ 20b+ 40a+", left="LD", locks="red:48 blue:40", lock_down=True)
    assert again.play("L1").locks == "red:48 blue:40"


@clause("RS-59")
def test_a_lock_stays_over_turns_and_travels_with_its_card() -> None:
    board = built("49b+ 20b+ 40a+", left="F", locks="red:40", lock_down=True).play("F1")
    assert (board.row, board.locks, board.phase) == ("20b+ 40a+", "red:40", "ACT blue")


@clause("RS-60")
@pytest.mark.parametrize("turn", ["red", "blue"])
@pytest.mark.parametrize("owner", ["red", "blue"])
def test_nobody_flips_or_switches_a_locked_card(turn: str, owner: str) -> None:
    board = built("48a+ 20b+ 21a+", turn=turn, left="FS", locks=f"{owner}:48", lock_down=True)
    locked = "1" if turn == "red" else "3"
    assert {name[1] for name in board.legal} == {*"123"} - {locked}


@clause("RS-60")
def test_nor_does_a_forced_flip() -> None:
    board = built("48a+ 20b+ 21a+", locks="red:48", lock_down=True).play("D", "8b").play("T-")
    assert (board.phase, board.legal) == ("FORCED blue", ["F1", "F2"])


@clause("RS-60", "RS-61")
def test_a_resistor_does_not_flip_it_but_its_lines_conduct() -> None:
    board = built("42a+ 0b- 48a+ 46a+ 20b+", left="FD", levels=(2, 1), locks="blue:48", lock_down=True)
    board.play("F2", "45a 47b")
    assert (board.row, board.locks, board.levels) == ("42b- 48a+ 46b- 20b+", "blue:48", (1, 1))


@clause("RS-19")
def test_what_cannot_be_done_is_skipped_and_the_turn_ends() -> None:
    """No card shows both colours: Lock Down is all that is left, and impossible."""
    board = built("42a+ 20b+ 44a+ 21a+", left="FL", lock_down=True).play("F4")
    assert (board.row, board.phase, board.left) == ("42a+ 20b+ 44a+ 21b-", "ACT blue", "FDSL")


@clause("RS-19")
def test_what_becomes_possible_later_is_not_lost() -> None:
    """The flip brings up 44b with both colours."""
    board = built("42a+ 20b+ 44a+ 21a+", left="FL", lock_down=True)
    assert board.legal == ["F1", "F2", "F3", "F4"]
    assert built("37a+ 20b+ 44a+", red="36a 38a", left="FL", lock_down=True).play("F3").legal == ["L3"]


@clause("RS-19", "RS-60")
def test_flip_and_switch_are_skipped_where_all_is_locked() -> None:
    board = built("40a+ 48a+", locks="red:40 blue:48", left="FDS", lock_down=True)
    assert board.legal == ["D"]
    assert board.play("D", "45a").play("T-").phase == "ACT blue"


@clause("RS-61")
def test_an_own_lock_can_always_be_left_where_it_is() -> None:
    """In games, a locked card always shows both colours and no diamond."""
    simulator = Simulator(GAME, 64, {"lock_down": True}, seed=2)
    locked = 0
    for _ in range(150):
        simulator.restart(simulator.over.nonzero()[0])
        simulator.step(simulator.random_actions())
        cards = GAME.observations.view(simulator.view(0)[0])["row"].reshape(-1, 41)
        faces = cards[cards[:, 38:40].any(axis=1), :18]
        assert not faces[:, 1].any()
        assert faces[:, 2:6].any(axis=1).all() and faces[:, 6:10].any(axis=1).all()
        locked += len(faces)
    assert locked > 5000


@clause("RS-59")
def test_each_seat_sees_whose_lock_is_where() -> None:
    board = built("48a+ 20b+ 40a+", locks="red:48 blue:40", lock_down=True)
    for colour in ("red", "blue"):
        row = board.sees(colour)["row"]
        assert row[:3, RowCard.OWN_LOCK].tolist() == [1, 0, 0]
        assert row[:3, RowCard.ENEMY_LOCK].tolist() == [0, 0, 1]
