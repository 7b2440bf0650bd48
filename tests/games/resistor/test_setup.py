"""Components and set-up: RS-01 to RS-03 and RS-09 to RS-15."""

from __future__ import annotations

from collections import Counter

import pytest

from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import deck_size

from .play import RESISTORS, Board, built

clause = pytest.mark.clause

RED_ON_FIVE = "42a+ 20a+ 21a- 40a+ 46a+ 44b+ 47a-"
RED_ON_FOUR = "42a+ 20a+ 21a- 40a+ 45a+ 44b+ 47a-"
SEVEN = "42a+ 44a+ 46a+ 20a+ 21a+ 40a+ 41a+"
FOUR_EACH = "42a+ 20a+ 21a- 40a+ 36b+ 44b+ 47a-"  # 40a shows both colours, 36b none
HANDS = "38a 37a 34a 35b"


def leave_in_deck(board: Board, cards: str) -> None:
    """Move all other cards of the deck to the discards."""
    s, kept = board.state, {int(card) for card in cards.split()}
    gone = [card for card in range(50) if int(s.deck) >> card & 1 and card not in kept]
    s.pile[: len(gone)], s.pile_size = gone, len(gone)
    s.deck = sum(1 << card for card in kept)


@clause("RS-01")
def test_red_owns_the_near_end_of_the_row_and_seat_0() -> None:
    assert GAME.seats == ("red", "blue")
    first_and_last = built("42a+ 44a- 20b+").play("F1").row, built("42a+ 44a- 20b+", turn="blue").play("F1").row
    assert first_and_last == ("42b- 44a- 20b+", "42a+ 44a- 20a-")


@clause("RS-01")
@pytest.mark.parametrize("length", range(1, 8))
def test_positions_are_counted_from_the_own_end_of_what_is_left(length: int) -> None:
    row = " ".join(SEVEN.split()[:length])
    for position in range(1, length + 1):
        red = built(row, left="FD").play(f"F{position}").row.split()
        blue = built(row, left="FD", turn="blue").play(f"F{position}").row.split()
        assert [card[2] for card in red].index("b") == position - 1
        assert [card[2] for card in blue].index("b") == length - position
    assert f"F{length + 1}" not in built(row).legal


@clause("RS-02")
def test_both_start_undamaged() -> None:
    board = Board()
    assert board.levels == (1, 1)
    assert board.happens(RED_ON_FOUR).happens(HANDS).levels == (1, 1)


@clause("RS-03", "RS-10")
def test_seventeen_cards_are_resistors() -> None:
    """Of each of them one side cannot be laid; of the others both can."""
    cards = Counter(int(outcome[:-2]) for outcome in Board().outcomes[::2])
    assert {card for card, sides in cards.items() if sides == 1} == RESISTORS
    assert len(RESISTORS) == 17 and {*cards.values()} == {1, 2}


@clause("RS-09", "RS-10")
def test_every_side_without_a_diamond_lies_either_way_equally_often() -> None:
    board = Board()
    seen = set()
    for number, name in enumerate(board.outcomes):
        laid = Board()
        laid.advance(number)
        assert laid.row == name
        assert "*" not in name
        seen.add(name)
    assert len(seen) == 166 == 2 * 83
    assert (board.outcomes[0], board.outcomes[1], board.outcomes[32]) == ("0b+", "0b-", "16a+")
    assert (board.outcomes[35], board.outcomes[165]) == ("16b-", "49b-")


@clause("RS-09")
def test_seven_cards_from_reds_end_on() -> None:
    board = Board()
    numbers = []
    for card in RED_ON_FIVE.split():
        assert board.phase == "LAY"
        numbers.append(len(board.outcomes))
        board.happens(card)
    assert numbers == [166, 162, 158, 154, 150, 146, 142]
    assert (board.row, board.phase, board.known) == (RED_ON_FIVE, "DEAL", "")


@clause("RS-09")
def test_nobody_sees_the_undersides_of_the_opening_row() -> None:
    board = Board().happens(RED_ON_FOUR)
    for colour in ("red", "blue"):
        cards = board.sees(colour)["row"]
        assert cards[:, 0].all()  # the face that lies up
        assert not cards[:, 19:38].any()  # the underside, and whether the enemy knows it


@clause("RS-10")
def test_a_resistor_may_lie_there_with_its_harmless_side_up() -> None:
    assert Board().happens("0b+ 49b-").row == "0b+ 49b-"


@clause("RS-11", "RS-12")
def test_red_draws_two_cards_then_blue() -> None:
    board = Board().happens(RED_ON_FIVE)
    numbers = []
    for card in HANDS.split():
        assert board.phase == "DEAL"
        numbers.append(len(board.outcomes))
        board.happens(card)
    assert numbers == [86, 84, 82, 80]
    assert (board.hand("red"), board.hand("blue")) == ("38a 37a", "34a 35b")
    assert deck_size(board.state) == 39


@clause("RS-12")
def test_a_card_in_a_hand_shows_each_player_one_side() -> None:
    """34a is a pair of red lines, 34b the face FIx.b; the hands of both are seen from both ends."""
    board = built("42a+ 44a+ 20b+", red="34a 37a", blue="46a 35b")
    own = board.sees("red")["hand"][0, 0]
    assert own[:18].nonzero()[0].tolist() == [0, 2, 5]  # known, own lines 0-0 and 1-1
    assert not own[18:].any()
    from_behind = board.sees("blue")["hand"][1, 0]
    assert from_behind[:18].nonzero()[0].tolist() == [0, 2, 4, 9]  # own 0-0 and 1-0, enemy 1-1
    assert not from_behind[18:].any()


@clause("RS-12")
def test_which_side_faces_whom_is_up_to_chance() -> None:
    names = Board().happens(RED_ON_FIVE).outcomes
    assert names[:2] == ["0a", "0b"]  # the side toward Red; diamonds are no obstacle
    assert len(names) == 2 * 43


@clause("RS-13")
@pytest.mark.parametrize("colour", ["red", "blue"])
def test_of_the_deck_only_the_number_is_seen(colour: str) -> None:
    """Other cards in the deck change nothing else of what a player sees."""
    board, other = (built("42a+ 44a+ 20b+", deck="45 46 47") for _ in range(2))
    assert board.sees(colour)["deck"].tolist() == [3]
    other.state.deck = 1 << 1 | 1 << 3 | 1 << 5
    seen, unchanged = board.sees(colour), other.sees(colour)
    assert all((seen[name] == unchanged[name]).all() for name in seen)


@clause("RS-14")
@pytest.mark.parametrize(("row", "starter"), [(RED_ON_FIVE, "blue"), (RED_ON_FOUR, "red")])
def test_whose_colour_is_on_fewer_cards_begins(row: str, starter: str) -> None:
    board = Board().happens(row).happens(HANDS)
    assert (board.phase, board.left) == (f"ACT {starter}", "FDS")


@clause("RS-15")
def test_on_a_tie_the_centre_card_is_replaced() -> None:
    board = Board().happens(FOUR_EACH).happens(HANDS)
    assert (board.phase, board.pile, len(board.outcomes)) == ("TIE", "40", 122)
    assert not any(name.startswith("40") for name in board.outcomes)
    board.happens("32b+")  # blue only: red on 3 cards, blue on 4
    assert board.phase == "ACT red"
    assert board.row == FOUR_EACH.replace("40a+", "32b+")
    assert (deck_size(board.state), board.known) == (38, "")


@clause("RS-15")
def test_as_often_as_it_takes() -> None:
    board = Board().happens(FOUR_EACH).happens(HANDS)
    for card, pile in (("48a+", "40"), ("49b-", "40 48"), ("28a+", "40 48 49")):
        assert (board.phase, board.pile) == ("TIE", pile)
        board.happens(card)  # both colours, or none: still tied
    assert board.happens("46a+").phase == "ACT blue"


@clause("RS-15", "RS-24")
def test_both_sides_of_the_card_that_goes_are_public() -> None:
    board = Board().happens(FOUR_EACH).happens(HANDS)
    for colour in ("red", "blue"):
        assert board.sees(colour)["pile_top"][:, 0].tolist() == [1, 1]
        assert board.sees(colour)["discards"].sum() == 1


@clause("RS-15")
def test_with_one_card_left_red_begins() -> None:
    board = Board().happens(FOUR_EACH).happens(HANDS)
    leave_in_deck(board, "28 48 49")
    assert board.happens("48a+").phase == "TIE"  # two are left
    assert board.happens("28a+").phase == "ACT red"  # still tied
    assert board.row == FOUR_EACH.replace("40a+", "28a+")
    assert deck_size(board.state) == 1


@clause("RS-09")
def test_a_game_begins_afresh_in_a_used_record() -> None:
    used, fresh = built("42a+ 20b+", pile="46 47", left="F", locks="red:42", lock_down=True), Board()
    used.state.resolving = used.state.flipped = 1
    GAME.setup(used.state)
    for name in fresh.states.dtype.names:
        if name not in ("generator", "options"):
            assert used.states[name].tolist() == fresh.states[name].tolist(), name
