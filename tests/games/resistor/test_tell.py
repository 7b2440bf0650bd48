"""What the log says of a move: the places as the reader sees them, what came up, who was hit."""

from __future__ import annotations

import re

from polytrix.core.viewers import SPECTATOR, Viewer
from polytrix.games.resistor import GAME
from tests.games.telling import random_log, told

from .play import Board, built

ROW = "42a+ 44a+ 20b+"
RED, BLUE = 0, 1


def words(board: Board, move: str, viewer: Viewer) -> list[str]:
    return told(GAME, board.state, GAME.parse_action(board.state, move), viewer)


def test_positions_are_counted_from_the_readers_main_frame() -> None:
    places = {
        viewer: words(built(ROW), "F1", viewer)[0].split(":")[0] for viewer in (RED, BLUE, SPECTATOR, None)
    }
    assert places == {
        RED: "flips the card at your position 1",
        BLUE: "flips the card at your position 3",
        SPECTATOR: "flips the card at red's position 1",
        None: "flips the card at red's position 1",
    }


def test_hands_are_the_readers_or_have_a_colour() -> None:
    board = built(ROW)
    assert "for your hand card 1, which lies there" in words(board, "S2o1+", RED)[0]
    assert "for red's hand card 1, which lies there" in words(board, "S2o1+", BLUE)[0]
    assert "for your hand card 2, which lies there" in words(board, "S2e2+", BLUE)[0]


def test_each_seat_is_told_the_side_of_a_drawn_card_that_it_sees() -> None:
    board = built(ROW)
    assert words(board, "D", BLUE) == ["draws a card from the deck"]
    s = board.state.copy()
    board.play("D")
    (red,) = told(GAME, board.state, 2 * 5, RED)
    (blue,) = told(GAME, board.state, 2 * 5, BLUE)
    assert red != blue
    for line in (red, blue):
        assert re.fullmatch(r"the drawn card shows .+ toward you", line)
    assert s.phase != board.state.phase


def test_a_trashed_resistor_forces_a_flip() -> None:
    board = built(ROW)
    board.play("D", "46a")
    lines = words(board, "T-", BLUE)
    assert lines[0].startswith("trashes the drawn card, ")
    if len(lines) > 1:
        assert lines[1] == "it was a Resistor, so blue must flip a card of the row"


def test_the_log_of_a_game_tells_all_levels_cards_of_the_row_and_the_end() -> None:
    """Whoever reads only the log knows them."""
    for seed in (1, 2, 3):
        levels, length = {"red": 1, "blue": 1}, 7
        ends = []
        for lines, s in random_log(GAME, seed, RED, 400):
            for line in lines:
                if level := re.search(r"(red|blue)'s DEFCON (?:rises|falls) from (\d) to (\d)", line):
                    assert levels[level[1]] == int(level[2])
                    levels[level[1]] = int(level[3])
                if left := re.search(r"leaves? the row, which has (\d) cards? left", line):
                    length = int(left[1])
                ends += [line] if line.startswith(("Red wins", "Blue wins", "Drawn game")) else []
            assert [levels["red"], levels["blue"]] == s.defcon.tolist()
            assert length == s.length
        assert len(ends) == 1
