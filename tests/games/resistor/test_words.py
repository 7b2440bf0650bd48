"""Actions in words: they say what the mover knows."""

from __future__ import annotations

import pytest

from polytrix.core.viewers import SPECTATOR
from polytrix.games.resistor import GAME
from polytrix.games.resistor.deck import Seat
from polytrix.play.known import notation

from .positions import Position

ROW = "row 42a+ 44a+ 20b+"
BLUE = f"{ROW[:-4]} 48a+; turn B; lv 1/2; left FDSL; pile 30 31; opt recycling_subsystems lock_down"
SWITCH = "switch your hand card 1 with position 2, arrow down: red along the top"
SEEN = (
    "flip the card at position 1, which will show red along the top, "
    "blue from bottom to top and along the bottom"
)
MAYBE = "; if the side that you do not see is a Resistor, blue must flip a card of the row"
SURE = ", which is a Resistor, so blue must flip a card of the row"
UNSEEN = "flip the card at position 1, whose underside you have not seen"


@pytest.mark.parametrize(
    ("position", "play", "action", "words"),
    [
        (ROW, "", "F1", UNSEEN),
        (f"{ROW}; know 42:B", "", "F1", UNSEEN),
        (f"{ROW}; know 42:R", "", "F1", SEEN),
        (ROW, "", "S2o1-", SWITCH),
        (ROW, "", "D", "draw a card from the deck, then put it into a hand or discard it"),
        (ROW, "D[46a]", "T-", f"discard the drawn card{MAYBE}"),
        (BLUE, "", "L1", "put your Lock Card on position 1: nobody flips or switches it"),
    ],
)
def test_actions(position: str, play: str, action: str, words: str) -> None:
    table = Position(position).play(play)
    assert GAME.explain(table.state, GAME.parse_action(table.state, action)) == words


@pytest.mark.clause("RS-34", "RS-35", "RS-36", "RS-48", "RS-53", "RS-54", "RS-55")
@pytest.mark.parametrize(
    ("position", "action", "words"),
    [
        ("row 49a+ 20b+ 14a+ 0b+ 21a+", "R1", "it is wired to nothing"),
        ("row 49a+ 20b+ 14a+ 0b+ 21a+", "R3", "wires flip position 4"),
        ("row 49a+ 20b+ 14a+ 0b+ 21a+; turn B", "R3", "wires flip position 2"),
        ("row 8a+ 49a+; lv 2/2", "R1", "it repairs red; red draws a new hand"),
        ("row 8a+ 49a+; lv 1/2", "R1", "red draws a new hand"),
        ("row 8a+ 49a+; lv 1/2; deck", "R1", "red loses its hand"),
        ("row 8a+ 49a+; lv 1/2; opt feedback_overflow", "R1", "it hits red; red draws a new hand"),
        (
            "row 8a+ 49a+; lv 2/1; opt dangerous_resistors",
            "R1",
            "it repairs red; it hits red; red draws a new hand; blue draws a new hand",
        ),
        ("row 49a+ 21a+ 0a+ 44a+; lv 1/4; opt dangerous_resistors", "R3", "it hits blue; red wins"),
        (
            "row 8a+ 49a+; lv 1/1; opt dangerous_resistors; deck 47",
            "R1",
            "it hits red; red draws the last card; blue loses its hand",
        ),
        (
            "row 8a+ 49a+; lv 1/1; opt dangerous_resistors; deck 47; turn B",
            "R2",
            "it hits red; blue draws the last card; red loses its hand",
        ),
    ],
)
def test_what_a_resistor_will_do_is_said_before_it_is_picked(position: str, action: str, words: str) -> None:
    s = Position(f"{position}; phase RESOLVE").state
    assert GAME.explain(s, GAME.parse_action(s, action)).partition(" next: ")[2] == words


@pytest.mark.clause("RS-60")
def test_with_every_card_locked_nothing_is_flipped() -> None:
    s = Position("row 48a+ 40a+; lock R48 B40; opt lock_down").state
    assert GAME.task(s) == "draw"


@pytest.mark.clause("RS-25", "RS-26")
@pytest.mark.parametrize(
    ("position", "action", "price"),
    [
        (f"{ROW}; R 0b 46a", "To1", MAYBE),
        (f"{ROW}; R 0b 46a; know 0:R", "To1", SURE),
        (f"{ROW}; R 0a 46a", "To1", SURE),
        (f"{ROW}; R 43a 46a; know 43:R", "To1", ""),
        ("row 48a+ 40a+; lock R48 B40; opt lock_down; R 0a 46a", "To1", ""),
    ],
)
def test_what_a_discard_costs_is_said_before_it_is_made(position: str, action: str, price: str) -> None:
    s = Position(position).play("D[47a]").state
    words = GAME.explain(s, GAME.parse_action(s, action))
    assert f"){price}; the drawn card takes its place" in words
    assert ("must flip" in words) == bool(price)


@pytest.mark.parametrize(
    ("hand", "up", "down"),
    [
        ("10a; know 10:R", "; arrow down looks the same", "; arrow up looks the same"),
        ("10a", ", but turns the unseen side below", ", but turns the unseen side below"),
        (
            "16a; know 16:R",
            "; below it red from top to bottom and along the bottom, blue along the top",
            "along the bottom",
        ),
    ],
)
def test_two_ways_round_that_look_alike_are_told_apart(hand: str, up: str, down: str) -> None:
    card, _, known = hand.partition(";")
    s = Position(f"{ROW}; R {card} 46a;{known}").state
    assert GAME.explain(s, GAME.parse_action(s, "S2o1+")).endswith(up)
    assert GAME.explain(s, GAME.parse_action(s, "S2o1-")).endswith(down)


@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_moves_of_the_enemy_are_written_and_told_with_the_numbers_of_the_board(viewer: int) -> None:
    position = "row 42a+ 44a+ 20b+; turn B; left FS"
    s = Position(position).state
    for played, seen, told in [
        ("F1", "F3", "flips the card at position 3: "),
        ("S1o2+", "S3e2-", "switches blue's hand card 2 with position 3, arrow down: "),
    ]:
        action, after = GAME.parse_action(s, played), Position(position).play(played).state
        assert notation(GAME, s, action, viewer) == seen
        assert notation(GAME, s, action, Seat.BLUE) == notation(GAME, s, action, None) == played
        assert GAME.tell(s, action, after, viewer)[0].startswith(told)


def test_the_log_says_why_the_game_is_won() -> None:
    table = Position("row 0b+ 2b- 21a+; left F; lv 1/3")
    before, action = table.state.copy(), GAME.parse_action(table.state, "F3")
    told = GAME.tell(before, action, table.play("F3").state, 0)
    assert "red is wired twice from end to end: blue's DEFCON rises from 3 to 4" in told


@pytest.mark.clause("RS-53")
@pytest.mark.parametrize(
    ("row", "played", "told"),
    [
        ("21a+ 0b- 44a+; left FD; lv 1/4", "F2", ["hits blue"]),
        ("42a+ 0b- 44a+; left FD; lv 1/4", "F2", ["hits blue"]),  # although red is connected from end to end
        ("37a+ 6b- 42a+; R 36a 38a; left FD; lv 4/4", "F2", ["hits red", "hits blue"]),
        ("43a+ 1b- 20a+; left FD", "F2[46a 47b]", ["hits red: red's DEFCON rises from 1 to 2"]),
    ],
)
def test_the_log_says_that_a_resistor_hits(row: str, played: str, told: list[str]) -> None:
    position = f"row {row}; opt dangerous_resistors"
    s = Position(position).state
    lines = GAME.tell(s, GAME.parse_action(s, "F2"), Position(position).play(played).state, 0)
    causes = [line for line in lines if "hits" in line or "wired" in line]
    assert causes == [f"the Resistor {hit}" for hit in told]


@pytest.mark.parametrize(
    ("position", "play", "words"),
    [
        (ROW, "", "flip, draw or switch"),
        (f"{ROW}; left S", "", "switch"),
        (ROW, "D[46a]", "place the drawn card"),
    ],
)
def test_the_task(position: str, play: str, words: str) -> None:
    assert GAME.task(Position(position).play(play).state) == words


def test_discards_are_told_from_the_second_on() -> None:
    assert GAME.notes(Position(ROW).state, 0) == []
    (line,) = GAME.notes(Position(f"{ROW}; deck 1 2; pile 5 6 7").state, 0)
    assert line.startswith("older discards, newest first: ")
