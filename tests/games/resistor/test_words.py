"""Actions in words: they say what the mover knows."""

from __future__ import annotations

import pytest

from polytrix.games.resistor import GAME

from .play import Board, built

ROW = "42a+ 44a+ 20b+"


def words(board: Board, move: str) -> str:
    assert GAME.explain is not None
    return GAME.explain(board.state, GAME.parse_action(board.state, move))


def test_a_flip_says_what_will_show_only_if_it_was_seen() -> None:
    assert words(built(ROW), "F1") == "flip the card at position 1, whose underside you have not seen"
    knowing = built(ROW, known="42:R")
    assert words(knowing, "F1").startswith("flip the card at position 1, which will show ")
    assert words(built(ROW, known="42:B"), "F1") == words(built(ROW), "F1")


@pytest.mark.parametrize("known", ["", "36:R", "36:B"])
def test_a_switch_says_how_the_card_will_lie(known: str) -> None:
    straight, turned = (words(built(ROW, known=known), f"S2o1{way}") for way in "+-")
    assert straight.startswith("put your hand card 1 into the row at position 2, lying ^ as ")
    assert turned.startswith("put your hand card 1 into the row at position 2, lying v as ")
    assert "the enemy's hand card 2" in words(built(ROW), "S2e2+")


def test_draw_and_trash() -> None:
    board = built(ROW)
    assert words(board, "D") == "draw a card from the deck, then put it into a hand or trash it"
    board.play("D", "46a")
    assert words(board, "T-") == "trash the drawn card"
    assert words(board, "Te2").startswith("trash the enemy's hand card 2 (")
    assert words(board, "To1").endswith("; the drawn card takes its place")


def test_discards_are_told_from_the_second_on() -> None:
    assert GAME.notes is not None
    assert GAME.notes(built(ROW).state, 0) == GAME.notes(built(ROW, pile="5").state, 0) == []
    (line,) = GAME.notes(built(ROW, pile="5 6 7").state, 0)
    assert line.startswith("older discards, newest first: ") and line.count(" | ") == 2


def test_actions_of_optional_rules() -> None:
    board = built(
        "48a+ 44a+ 20b+", turn="blue", levels=(1, 2), left="FDSL", pile="30 31",
        recycling_subsystems=True, lock_down=True,
    )  # fmt: skip
    assert words(board, "Pa").startswith("draw the newest discard, ")
    assert words(board, "Pa").endswith(" toward you, then put it into a hand or trash it")
    locks = [move for move in board.legal if move[0] == "L"]
    assert locks
    assert (
        words(board, locks[0]) == f"put your Lock Card on position {locks[0][1]}: nobody flips or switches it"
    )
