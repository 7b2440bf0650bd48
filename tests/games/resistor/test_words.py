"""Actions in words: they say what the mover knows."""

from __future__ import annotations

import pytest

from polytrix.games.resistor import GAME

from .positions import Position

ROW = "row 42a+ 44a+ 20b+"
BLUE = f"{ROW[:-4]} 48a+; turn B; lv 1/2; left FDSL; pile 30 31; opt recycling_subsystems lock_down"
SWITCH = (
    "put your hand card 1 into the row at position 2, lying v as r00; the card from there goes to that hand"
)
UNSEEN = "flip the card at position 1, whose underside you have not seen"


@pytest.mark.parametrize(
    ("position", "play", "action", "words"),
    [
        (ROW, "", "F1", UNSEEN),
        (f"{ROW}; know 42:B", "", "F1", UNSEEN),
        (f"{ROW}; know 42:R", "", "F1", "flip the card at position 1, which will show r00 b10 b11"),
        (ROW, "", "S2o1-", SWITCH),
        (ROW, "", "D", "draw a card from the deck, then put it into a hand or trash it"),
        (ROW, "D[46a]", "T-", "trash the drawn card"),
        (BLUE, "", "L1", "put your Lock Card on position 1: nobody flips or switches it"),
    ],
)
def test_actions(position: str, play: str, action: str, words: str) -> None:
    table = Position(position).play(play)
    assert GAME.explain is not None
    assert GAME.explain(table.state, GAME.parse_action(table.state, action)) == words


def test_discards_are_told_from_the_second_on() -> None:
    assert GAME.notes is not None
    assert GAME.notes(Position(ROW).state, 0) == []
    (line,) = GAME.notes(Position(f"{ROW}; deck 1 2; pile 5 6 7").state, 0)
    assert line.startswith("older discards, newest first: ")
