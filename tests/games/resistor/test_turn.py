"""The actions of a turn: RS-03 and RS-16 to RS-31."""

from __future__ import annotations

from itertools import permutations

import pytest

from .play import RESISTORS, Board, built

clause = pytest.mark.clause

SEVEN = "42a+ 44a+ 46a+ 20a+ 21a+ 40a+ 41a+"


# -- a turn ---------------------------------------------------------------------------------


@clause("RS-16")
@pytest.mark.parametrize("order", list(permutations("FDS")))
def test_three_actions_each_once_in_any_order(order: tuple[str, ...]) -> None:
    board = built("42a+ 20b+ 44a+ 21a+")
    for action in order:
        assert board.phase == "ACT red"
        assert {name[0] for name in board.legal} == {*board.left}
        if action == "D":
            board.play("D", "45a").play("T-")
        else:
            board.play({"F": "F1", "S": "S1o1+"}[action])
    assert (board.phase, board.left) == ("ACT blue", "FDS")


@clause("RS-16")
def test_there_is_no_pass() -> None:
    assert built("42a+ 20b+", left="F").legal == ["F1", "F2"]
    assert built("42a+ 20b+", left="D").legal == ["D"]
    assert {name[0] for name in built("42a+ 20b+", left="S").legal} == {"S"}


@clause("RS-16", "RS-20", "RS-22", "RS-28")
def test_all_that_may_be_done_at_the_start_of_a_turn() -> None:
    legal = built(SEVEN).legal
    switches = [f"S{p}{h}{n}{o}" for p in range(1, 8) for h in "oe" for n in "12" for o in "+-"]
    assert legal == [*(f"F{p}" for p in range(1, 8)), "D", *switches]
    assert len(legal) == 64


@clause("RS-17")
def test_all_three_actions_may_touch_one_card() -> None:
    board = built("42a+ 20b+ 21a+").play("F2").play("S2o1+").play("D", "45a").play("To1")
    assert (board.row, board.hand("red"), board.pile) == ("42a+ 36a+ 21a+", "45a 37a", "20")
    again = built("42a+ 20b+ 21a+").play("S2o1+").play("F2")
    assert again.row == "42a+ 36b- 21a+"


@clause("RS-18")
def test_a_diamond_is_resolved_before_the_next_action() -> None:
    board = built("42a+ 44a+ 49b+ 20b+").play("F3")
    assert (board.row, board.pile) == ("42a+ 44a+ 20b+", "49")
    assert (board.phase, board.left) == ("ACT red", "DS")


@clause("RS-18")
def test_a_diamond_is_resolved_before_scoring() -> None:
    """The red line runs through as soon as the bare diamond is gone."""
    board = built("42a+ 49b+ 44a+", red="34a 37a", blue="38a 35a", left="F").play("F2")
    assert (board.row, board.levels, board.phase) == ("42a+ 44a+", (1, 2), "ACT blue")


# -- Flip Over ------------------------------------------------------------------------------


@clause("RS-20")
@pytest.mark.parametrize("turn", ["red", "blue"])
def test_any_card_of_the_row_may_be_flipped(turn: str) -> None:
    assert built(SEVEN, turn=turn, left="F").legal == [f"F{p}" for p in range(1, 8)]


@clause("RS-04", "RS-21")
@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("42a+", "42b-", "r00 b10 b11"),
        ("42a-", "42b+", "r11 b00 b10"),
        ("40a+", "40b-", "b01 b11"),
        ("28a-", "28b+", "r11 b00"),
        ("20a+", "20b-", "b00 b11"),
    ],
)
def test_a_flip_brings_up_the_other_side_and_turns_the_card(before: str, after: str, lines: str) -> None:
    """The lines are near-far as Red reads them."""
    board = built(f"37a+ {before} 38a+", red="36a 39a", left="FD").play("F2")
    assert board.row == f"37a+ {after} 38a+"
    face = board.sees("red")["row"][1, :18]
    names = [f"{c}{near}{far}" for c in "rb" for near in "01" for far in "01"]
    assert " ".join(name for name, on in zip(names, face[2:10], strict=True) if on) == lines


@clause("RS-04")
@pytest.mark.parametrize(("card", "chips"), [("12a+", [0]), ("12a-", [3]), ("4a-", [1, 2])])
def test_stubs_are_turned_with_the_card(card: str, chips: list[int]) -> None:
    """Near 0, near 1, far 0, far 1: a stub at the left chip 0 comes to the far chip 1."""
    face = built(f"37a+ {card} 38a+", red="36a 39a").sees("red")["row"][1, :18]
    assert face[10:14].nonzero()[0].tolist() == chips


@clause("RS-01", "RS-04")
def test_blue_reads_the_row_from_the_other_end() -> None:
    """Red's 0-1 is Blue's 0-1, 0-0 is 1-1, and what lies `+` for Red lies `-` for Blue."""
    board = built("42a+ 40a- 20b+")  # r00; b01 and r11; b00 b11
    red, blue = board.sees("red")["row"], board.sees("blue")["row"]
    assert [card[2:10].nonzero()[0].tolist() for card in red[:3]] == [[0], [3, 5], [4, 7]]
    assert [card[2:10].nonzero()[0].tolist() for card in blue[:3]] == [[0, 3], [1, 4], [7]]
    assert (red[:3, 18].tolist(), blue[:3, 18].tolist()) == ([0, 1, 0], [1, 0, 1])


@clause("RS-21", "RS-63")
def test_a_flip_shows_both_players_both_sides() -> None:
    assert built("42a+ 44a+ 20b+").play("F2").known == "44:RB"


# -- Draw and Trash ---------------------------------------------------------------------------


@clause("RS-22")
def test_both_see_their_side_of_the_card_before_its_place_is_chosen() -> None:
    board = built("20b+ 44a+ 21a+ 5b+", left="DS").play("D", "8b")  # FO.r toward Red, the diamond toward Blue
    assert (board.phase, board.drawn) == ("TRASH red", "8b")
    assert board.sees("red")["drawn"].nonzero()[0].tolist() == [0, 2, 3]
    assert board.sees("blue")["drawn"].nonzero()[0].tolist() == [0, 1, 11, 13, 14, 16]


@clause("RS-22")
def test_the_card_is_any_of_the_deck_with_either_side_to_red() -> None:
    board = built("42a+ 44a+ 20b+", deck="8 45").play("D")
    assert (board.phase, board.outcomes) == ("TAKE", ["8a", "8b", "45a", "45b"])


@clause("RS-23")
@pytest.mark.parametrize("turn", ["red", "blue"])
@pytest.mark.parametrize(
    ("action", "own", "enemy", "trashed"),
    [
        ("To1", "45a 37a", "34a 35a", "36"),
        ("To2", "36a 45a", "34a 35a", "37"),
        ("Te1", "36a 37a", "45a 35a", "34"),
        ("Te2", "36a 37a", "34a 45a", "35"),
        ("T-", "36a 37a", "34a 35a", "45"),
    ],
)
def test_the_five_results(turn: str, action: str, own: str, enemy: str, trashed: str) -> None:
    other = {"red": "blue", "blue": "red"}[turn]
    hands = {turn: "36a 37a", other: "34a 35a"}
    board = built("42a+ 44a+ 20b+", turn=turn, **hands).play("D", "45a")
    assert board.legal == ["To1", "To2", "Te1", "Te2", "T-"]
    board.play(action)
    assert (board.hand(turn), board.hand(other), board.pile) == (own, enemy, trashed)
    assert (board.phase, board.drawn, board.known) == (f"ACT {turn}", "--", "")


@clause("RS-24")
def test_discards_pile_up_for_both_to_inspect() -> None:
    board = built("42a+ 44a+ 20b+", pile="47 46").play("D", "45a").play("Te1")
    assert board.pile == "47 46 34"
    top = board.sees("red")["pile_top"]  # 34: PP.r and FIx.b
    assert [side.nonzero()[0].tolist() for side in top] == [[0, 2, 5], [0, 5, 6, 8]]
    assert board.sees("red")["discards"].nonzero()[0].tolist() == [32, 44, 45]
    assert board.sees("blue")["discards"].nonzero()[0].tolist() == [33, 44, 45]  # as if 35, 47 and 46


@clause("RS-24")
def test_equal_cards_are_counted_together() -> None:
    board = built("42a+ 44a+ 20b+", pile="22 24")
    assert board.sees("red")["discards"][22] == board.sees("blue")["discards"][23] == 2


@clause("RS-03", "RS-25")
@pytest.mark.parametrize("card", sorted({*range(50)} - {20, 44, 21, 34, 35, 36, 37}))
@pytest.mark.parametrize("side", "ab")
def test_a_resistor_in_the_trash_forces_a_flip_whichever_way_it_faced(card: int, side: str) -> None:
    board = built("20b+ 44a+ 21a+").play("D", f"{card}{side}").play("T-")
    assert board.phase == ("FORCED blue" if card in RESISTORS else "ACT red")


@clause("RS-25")
def test_a_resistor_from_a_hand_does_so_too() -> None:
    board = built("20b+ 44a+ 21a+", blue="34a 8b").play("D", "45a").play("Te2")
    assert (board.phase, board.legal) == ("FORCED blue", ["F1", "F2", "F3"])
    board.play("F1")
    assert (board.row, board.known) == ("20b+ 44a+ 21b-", "21:RB")


@clause("RS-26")
@pytest.mark.parametrize("left", ["D", "FDS"])
def test_the_forced_flip_uses_up_nothing(left: str) -> None:
    board = built("20b+ 44a+ 21a+", left=left).play("D", "8a").play("T-").play("F2")
    if left == "D":
        assert (board.phase, board.left) == ("ACT blue", "FDS")
    else:
        assert (board.phase, board.left) == ("ACT red", "FS")


@clause("RS-26")
def test_the_turn_player_resolves_what_the_forced_flip_reveals() -> None:
    """5a leads from 21 to Blue's end; then two diamonds show at once, and Red chooses."""
    board = built("20b+ 44a+ 21a+ 5b+", left="DS").play("D", "8b").play("T-").play("F1", "28b 31b")
    assert (board.row, board.hand("blue")) == ("20b+ 44a+ 21b-", "28b 31b")
    assert (board.phase, board.left) == ("ACT red", "S")
    two = built("21a+ 0b+ 4b- 2b+ 20b+", left="D").play("D", "8b").play("T-").play("F3")
    assert (two.phase, two.legal) == ("RESOLVE red", ["R2", "R3"])


@clause("RS-26", "RS-60")
def test_it_falls_away_if_every_card_is_locked() -> None:
    board = built("40a+ 48a+", left="DL", locks="red:40 blue:48", lock_down=True)
    assert board.play("D", "8b").play("T-").phase == "ACT red"


@clause("RS-27")
def test_other_discards_force_nothing() -> None:
    """A hand with two Resistors goes by a repair, and a Resistor goes from the row."""
    board = built("42a+ 0b- 44a+ 20b+", red="6b 8b", left="FD", levels=(2, 1)).play("F2", "46a 47b")
    assert (board.pile, board.phase) == ("6 8 0", "ACT red")


@clause("RS-27")
def test_nor_does_a_card_that_leaves_the_opening_row() -> None:
    board = Board().happens("42a+ 20a+ 21a- 11b+ 36b+ 44b+ 47a-").happens("38a 37a 34a 35b")
    assert (board.phase, board.pile) == ("TIE", "11")
    assert board.happens("32b+").phase == "ACT red"


# -- Switch Out -------------------------------------------------------------------------------


@clause("RS-28")
@pytest.mark.parametrize("turn", ["red", "blue"])
@pytest.mark.parametrize(("hand", "slot"), [("o", 1), ("o", 2), ("e", 1), ("e", 2)])
def test_row_card_and_hand_card_change_places(turn: str, hand: str, slot: int) -> None:
    board = built("20b+ 44b+ 21a+", turn=turn)
    owner = turn if hand == "o" else {"red": "blue", "blue": "red"}[turn]
    before = board.hand(owner).split()
    board.play(f"S2{hand}{slot}+")
    after = board.hand(owner).split()
    assert board.row.split()[1][:2] == before[slot - 1][:2]
    assert after[slot - 1][:2] == "44"
    assert after[2 - slot] == before[2 - slot]
    assert (board.row.split()[0], board.row.split()[2]) == ("20b+", "21a+")


@clause("RS-28")
def test_the_card_that_left_cannot_come_straight_back() -> None:
    board = built("20b+ 44b+ 21a+").play("S2o1-")
    assert (board.left, [name for name in board.legal if name[0] == "S"]) == ("FD", [])


@clause("RS-29", "RS-30", "RS-63")
@pytest.mark.parametrize(
    ("turn", "action", "row", "red", "blue", "known"),
    [
        # Red: what lay up (44b) faces Red; what faced Red (36a) lies up.
        ("red", "S2o1-", "20b+ 36a- 21a+", "44b 37a", "34a 35a", "36:B 44:B"),
        ("red", "S2e2+", "20b+ 35a+ 21a+", "36a 37a", "34a 44b", "35:B 44:B"),
        # Blue: what lay up (21a, his first) faces Blue, so 21b faces Red; 37b faced Blue, so it lies up.
        ("blue", "S1e2+", "20b+ 44b+ 37b-", "36a 21b", "34a 35a", "21:R 37:R"),
        ("blue", "S1o1-", "20b+ 44b+ 34b+", "36a 37a", "21b 35a", "21:R 34:R"),
        # 44b faces Blue, so 44a faces Red.
        ("blue", "S2o1+", "20b+ 34b- 21a+", "36a 37a", "44a 35a", "34:R 44:R"),
    ],
)
def test_sides_and_orientation(turn: str, action: str, row: str, red: str, blue: str, known: str) -> None:
    board = built("20b+ 44b+ 21a+", turn=turn).play(action)
    assert (board.row, board.hand("red"), board.hand("blue"), board.known) == (row, red, blue, known)


@clause("RS-30")
def test_the_orientation_is_meant_as_the_turn_player_sees_it() -> None:
    """`+` is `+` in the own reading of either player."""
    for turn in ("red", "blue"):
        for sign, turned in (("+", 0), ("-", 1)):
            board = built("20b+ 44b+ 21a+", turn=turn).play(f"S2o1{sign}")
            assert board.sees(turn)["row"][1, 18] == turned


@clause("RS-31")
def test_a_diamond_may_be_switched_in() -> None:
    board = built("20b+ 44a+ 21b+", red="0a 37a", left="DS", levels=(3, 2)).play("S2o1+")
    assert (board.row, board.hand("red"), board.pile) == ("20b+ 21a-", "44a 37a", "0")
    assert (board.levels, board.left, board.known) == ((3, 2), "D", "21:RB 44:B")
