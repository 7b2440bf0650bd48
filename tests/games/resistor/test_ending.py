"""Lines, points, the ends of a game and payoffs: RS-04 to RS-08 and RS-41 to RS-49."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.core.errors import OptionError
from polytrix.core.simulator import Simulator
from polytrix.games.resistor import GAME
from polytrix.games.resistor.connections import points
from polytrix.games.resistor.state import deck_size

from . import obvious_row
from .obvious import TOKENS
from .play import Board, built

clause = pytest.mark.clause


def worth(row: str) -> tuple[int, int]:
    """Red's and Blue's points for a row, at the end of a turn that changes nothing in it."""
    used = {int(card[:-2]) for card in row.split()}
    free = [card for card in (22, 23, 24, 25, 26, 27) if card not in used]
    board = built(row, red=f"{free[0]}a {free[1]}a", blue=f"{free[2]}a {free[3]}a", left="D")
    spare = next(card for card in (30, 31, 33) if card not in used)
    board.play("D", f"{spare}a").play("T-")
    assert board.phase == "ACT blue"
    return board.levels[1] - 1, board.levels[0] - 1


# -- lines --------------------------------------------------------------------------------------


@clause("RS-42", "RS-05", "RS-06", "RS-08")
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("42a+ 44a+ 46a+", (1, 0)),  # track 0 from end to end
        ("42a+ 44a- 46a+", (0, 0)),  # the card in the middle runs on track 1
        ("42a- 44a- 46a-", (1, 0)),
        ("36a+ 38a+", (1, 0)),  # either chip of a MainFrame will do
        ("42a+ 41b+ 38a+", (1, 0)),  # a fork leads from track 0 to track 1
        ("42a+ 9b+ 38a+", (0, 0)),  # the same fork in blue does not
        ("43a+ 45a+ 47a+", (0, 1)),
        ("20a+ 36a+", (1, 0)),  # a diagonal
        ("20a+ 42a+", (0, 0)),
    ],
)
def test_a_line_from_mainframe_to_mainframe_is_a_point(row: str, expected: tuple[int, int]) -> None:
    assert worth(row) == expected


@clause("RS-06")
@pytest.mark.parametrize("row", ["40a+ 45a+", "48a+ 32a-", "42a+ 45a+"])
def test_lines_of_different_colours_never_connect(row: str) -> None:
    """40a: both colours leave one chip."""
    assert worth(row) == (0, 0)


@clause("RS-05", "RS-06")
def test_both_colours_may_use_one_chip() -> None:
    assert worth("40a+ 48a+") == (1, 1)


@clause("RS-08")
@pytest.mark.parametrize("row", ["5a+", "12a+ 14a+", "42a+ 37a+ 44a+", "37a+ 42a+"])
def test_a_mainframe_does_not_connect_lines_with_each_other(row: str) -> None:
    """Nor does reaching one's own MainFrame, or only the enemy's, count for anything."""
    red = [points(built(way, red="24a 25a", blue="26a 27a").state, 0) for way in (row, turned_round(row))]
    assert red == [0, 0]


def turned_round(row: str) -> str:
    """The same cards from the other end."""
    return " ".join(card.translate(str.maketrans("+-", "-+")) for card in reversed(row.split()))


@clause("RS-07")
def test_a_diamond_connects_its_stubs_of_one_colour() -> None:
    row = built("42a+ 10a+ 36a+", red="24a 25a").state  # r4.r: red from left 0 to right 1
    assert (points(row, 0), points(row, 1)) == (1, 0)
    assert points(built("42a+ 10a+ 44a+", red="24a 25a").state, 0) == 0


@clause("RS-43")
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("0b+ 2b- 21b+", (2, 0)),  # both red tracks on every card; a blue diagonal does not matter
        ("0b+ 12b+ 21b+", (1, 0)),  # FI.r leads both tracks into one chip
        ("0b+ 42a+ 21b+", (1, 0)),
        ("1b+ 3b+ 20b-", (0, 2)),
        ("0b+", (2, 0)),
        ("0b+ 10b+ 2b+", (1, 0)),  # one line, though it changes tracks
    ],
)
def test_two_lines_that_share_no_chip_are_two_points(row: str, expected: tuple[int, int]) -> None:
    assert worth(row) == expected


@clause("RS-42", "RS-43")
def test_points_of_random_rows_are_those_of_the_obvious_search() -> None:
    """Rows of pairs and of many lines, so that one and two points are common."""
    rng = np.random.default_rng(3)
    s = Board().state
    dense = [card for card in range(50) if sum(len(tokens) for tokens in TOKENS[card]) >= 4]
    seen = {0: 0, 1: 0, 2: 0}
    for _ in range(1500):
        s.length = length = int(rng.integers(1, 6))
        s.card[:length] = rng.choice(dense, length, replace=False)
        s.side[:length], s.turned[:length] = rng.integers(2, size=(2, length))
        faces = [(TOKENS[s.card[i]][s.side[i]], bool(s.turned[i])) for i in range(length)]
        for colour in (0, 1):
            found = points(s, colour)
            assert found == obvious_row.points(obvious_row.graph_of(faces, "rb"[colour])), faces
            seen[found] += 1
    assert min(seen.values()) > 40, seen


# -- scoring ------------------------------------------------------------------------------------


@clause("RS-41")
@pytest.mark.parametrize("turn", ["red", "blue"])
def test_both_players_are_checked_whoever_took_the_turn(turn: str) -> None:
    board = built("48a+ 32a+ 18a-", turn=turn, left="F").play("F3" if turn == "red" else "F1")
    assert (board.row, board.levels) == ("48a+ 32a+ 18b+", (2, 2))


@clause("RS-41")
def test_nothing_scores_before_the_turn_is_over() -> None:
    board = built("42a+ 44a+ 46a+").play("D", "45a").play("T-").play("S1e1+")
    assert (board.levels, board.left) == ((1, 1), "F")


@clause("RS-41")
def test_a_line_that_stays_scores_at_every_turn_end() -> None:
    board = built("42a+ 44a+ 46a+ 38a-", left="D")
    for number, level in enumerate((2, 3, 4)):
        board.play("D", f"{30 + number}a").play("T-")
        assert board.levels == (1, level)
        board.state.left = 2  # nothing but a draw in the next turn either
    assert board.play("D", "43a").play("T-").result == "red hit"


@clause("RS-44")
def test_points_raise_the_other_level_by_as_many() -> None:
    board = built("0b+ 2b- 21a+", left="F", levels=(1, 2)).play("F3")
    assert (board.row, board.levels, board.phase, board.left) == ("0b+ 2b- 21b-", (1, 4), "ACT blue", "FDS")


@clause("RS-44", "RS-45")
@pytest.mark.parametrize(
    ("levels", "after", "result"),
    [
        ((1, 3), (2, 4), None),
        ((4, 2), (4, 3), "blue hit"),
        ((1, 4), (2, 4), "red hit"),
        ((4, 4), (4, 4), "draw hit"),
    ],
)
def test_both_score_at_once(levels: tuple[int, int], after: tuple[int, int], result: str | None) -> None:
    board = built("48a+ 32a+ 18a-", left="F", levels=levels).play("F3")
    assert board.levels == after
    if result is None:
        assert board.phase == "ACT blue"
    else:
        assert board.result == result


@clause("RS-45")
@pytest.mark.parametrize(("level", "after", "over"), [(1, 3, False), (2, 4, False), (3, 4, True), (4, 4, True)])
def test_two_points_win_against_three(level: int, after: int, over: bool) -> None:
    board = built("0b+ 2b- 21a+", left="F", levels=(1, level)).play("F3")
    assert (board.levels, board.phase == "OVER") == ((1, after), over)
    if over:
        assert (board.result, board.payoff) == ("red hit", [1.0, -1.0])


@clause("RS-49")
@pytest.mark.parametrize(("turn", "other"), [("red", "blue"), ("blue", "red")])
def test_then_it_is_the_others_turn(turn: str, other: str) -> None:
    board = built("42a+ 44a- 20b+", turn=turn, left="F").play("F1")
    assert (board.phase, board.left) == (f"ACT {other}", "FDS")


# -- a short row, an empty deck -------------------------------------------------------------------


@clause("RS-46")
@pytest.mark.parametrize(
    ("row", "red", "levels", "after", "result"),
    [
        ("42a+ 49b+", "36a 37a", (1, 1), (1, 2), "red short"),  # the last check decides
        ("36b+ 49b+", "42a 37a", (2, 2), (2, 2), "draw short"),
        ("36b+ 49b+", "42a 37a", (3, 2), (3, 2), "blue short"),
        ("42a+ 49b+", "36a 37a", (3, 1), (3, 2), "blue short"),
        ("42a+ 49b+", "36a 37a", (2, 1), (2, 2), "draw short"),
        ("42a+ 49b+", "36a 37a", (4, 4), (4, 4), "red hit"),
    ],
)
def test_one_last_check_then_the_lower_level_wins(
    row: str, red: str, levels: tuple[int, int], after: tuple[int, int], result: str
) -> None:
    board = built(row, red=red, levels=levels, left="F").play("F2")
    assert (board.levels, board.result) == (after, result)


@clause("RS-46", "RS-47")
def test_the_last_turn_is_checked_once_only() -> None:
    """The turn ends and the deck is empty with the same action: one point, not two."""
    board = built("42a+ 44a+ 46a+", left="D", deck="43", levels=(2, 1)).play("D", "43a").play("T-")
    assert (board.levels, board.result) == ((2, 2), "draw deck")


@clause("RS-47")
def test_with_the_last_card_placed_the_game_is_over() -> None:
    board = built("20b+ 44a+ 21a+", deck="43", levels=(2, 1)).play("D", "43a")
    assert (board.phase, deck_size(board.state)) == ("TRASH red", 0)
    board.play("T-")
    assert (board.result, board.levels, board.legal) == ("blue deck", (2, 1), [])


@clause("RS-47")
def test_the_forced_flip_of_the_last_card_is_completed() -> None:
    board = built("20b+ 44a+ 21a+", deck="8", levels=(2, 1)).play("D", "8a").play("T-")
    assert board.phase == "FORCED blue"
    board.play("F3")
    assert (board.row, board.result) == ("20a- 44a+ 21a+", "blue deck")


@clause("RS-47")
def test_so_are_all_resistors() -> None:
    """The forced flip reveals the bare diamond, which goes before the last check: red runs through then."""
    board = built("42a+ 49b+ 44a+", deck="8").play("D", "8a").play("T-").play("F2")
    assert (board.row, board.levels, board.result) == ("42a+ 44a+", (1, 2), "red deck")


@clause("RS-48")
def test_a_redraw_takes_what_is_there() -> None:
    board = built("42a+ 0b- 44a+ 20b+", deck="43", levels=(3, 1)).play("F2", "43a")
    assert (board.row, board.hand("red"), board.pile[-7:]) == ("42b- 44b- 20b+", "43a --", "36 37 0")
    assert (board.levels, board.result) == ((3, 1), "blue deck")  # a repair, then a blue point


@clause("RS-48")
@pytest.mark.parametrize(
    ("deck", "draws", "blue", "red"),
    [
        ("46", "46a", "46a --", "-- --"),
        ("46 47", "46a 47a", "46a 47a", "-- --"),
        ("45 46 47", "46a 47a 45b", "46a 47a", "45b --"),
    ],
)
def test_the_turn_player_first(deck: str, draws: str, blue: str, red: str) -> None:
    board = built("48a+ 6b- 32a+", turn="blue", deck=deck, levels=(3, 2)).play("F2", draws)
    assert (board.hand("blue"), board.hand("red"), board.phase) == (blue, red, "OVER")
    assert board.pile.endswith("34 35 36 37 6")


@clause("RS-34", "RS-48")
def test_an_empty_slot_is_not_discarded() -> None:
    """The first diamond takes the last card of the deck; the second one leads home as well."""
    board = built("42a+ 0b- 2b- 20b+", left="F", levels=(3, 1), deck="43").play("F2", "43a")
    assert (board.levels, board.hand("red"), board.row) == ((1, 1), "-- --", "42a+ 20b+")
    assert board.pile.endswith("36 37 0 43 2")
    assert board.result == "draw deck"


# -- what it pays ---------------------------------------------------------------------------------


@clause("RS-45", "RS-46")
@pytest.mark.parametrize(
    ("levels", "result", "payoff"),
    [((1, 1), "red short", [1, -1]), ((4, 1), "blue short", [-1, 1]), ((2, 1), "draw short", [0, 0])],
)
def test_a_technical_win_pays_as_much(levels: tuple[int, int], result: str, payoff: list[float]) -> None:
    board = built("42a+ 49b+", levels=levels, left="F").play("F2")
    assert (board.result, board.payoff) == (result, payoff)


def test_a_game_that_is_cut_off_pays_nothing() -> None:
    board = built("42a+ 44a+ 46a+", levels=(1, 4), max_decisions=1).play("F1")
    assert (board.result, board.payoff) == ("truncated", [0.0, 0.0])


def test_a_result_with_the_last_decision_counts() -> None:
    board = built("0b+ 2b- 21a+", left="F", levels=(1, 4), max_decisions=1).play("F3")
    assert (board.result, board.payoff) == ("red hit", [1.0, -1.0])


@pytest.mark.parametrize("limit", [0, -1, 1.5, "many"])
def test_limits_that_are_none(limit: object) -> None:
    with pytest.raises(OptionError, match="max_decisions"):
        GAME.options.validate({"max_decisions": limit})


def test_the_potential_compares_levels_and_gaps() -> None:
    """Red lacks one card (47a- is blue, 37 too), Blue three of four."""
    board = built("42a+ 44a+ 37a+ 46a+", levels=(1, 3), red="36a 38a", blue="34a 35a")
    faces = [(TOKENS[card][0], False) for card in (42, 44, 37, 46)]
    assert [obvious_row.need(obvious_row.graph_of(faces, colour)) for colour in "rb"] == [1, 3]
    simulator = Simulator(GAME, 1, seed=0)
    simulator.states[0] = board.state
    assert simulator.potential()[0].tolist() == pytest.approx([2 / 6 + 2 / 42, -2 / 6 - 2 / 42])
    over = board.play("D", "45a").play("T-")
    over.state.mover = -2
    simulator.states[0] = over.state
    assert simulator.potential()[0].tolist() == [0, 0]


@clause("RS-39")
def test_once_over_no_card_can_be_put_anywhere() -> None:
    """The row ends with the switch still to be made; it is cut off with a card just drawn, or in UNDO."""
    ended = built("42a+ 49b+", left="FS").play("F2")
    drawn = built("42a+ 44a+ 38a+", max_decisions=1).play("D", "45a")
    flipped = built("42a+ 44a+ 38a+", levels=(2, 1), comeback_circuits=True, max_decisions=1).play("F1")
    assert [board.result for board in (ended, drawn, flipped)] == ["red short", "truncated", "truncated"]
    for board in (ended, drawn, flipped):
        for colour in ("red", "blue"):
            seen = board.sees(colour)
            assert not seen["put_gains"].any()
            assert seen["gaps"].sum() == 2  # how it stands is still shown
            assert seen["row"][:, 40].sum() == (board is flipped)


@clause("RS-51")
def test_before_the_end_these_are_shown() -> None:
    drawn = built("42a+ 44a+ 38a+").play("D", "45a")
    flipped = built("42a+ 44a+ 38a+", levels=(2, 1), comeback_circuits=True).play("F1")
    for colour in ("red", "blue"):
        assert drawn.sees(colour)["put_gains"].any() and flipped.sees(colour)["put_gains"].any()
        assert flipped.sees(colour)["row"][:, 40].sum() == 1
