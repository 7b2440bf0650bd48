"""Each invariant detects the states that break it. The shared tests and long random play show that all hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from polytrix.core.inspection import broken_invariant
from polytrix.core.state import CHANCE, OVER
from polytrix.games.resistor import GAME

from .play import PHASES, Board, built

clause = pytest.mark.clause

ROW = "42a+ 0b- 44a+ 20b+"  # F2 turns up a diamond that leads home for Red
DRAWN = 11


def told(s: Any, before: Any = None) -> str:
    """What the invariant says that does not hold, or "" if all hold."""
    number = GAME.check(s if before is None else before, s)
    return broken_invariant(GAME, number) if number else ""


def sound(board: Board) -> Any:
    """The state of a board, in which nothing is wrong."""
    assert not told(board.state)
    return board.state


def in_phase(name: str) -> Board:
    """A board at that decision or event."""
    behind: dict[str, Any] = {"levels": (2, 1), "comeback_circuits": True}
    boards: dict[str, Callable[[], Board]] = {
        "LAY": lambda: Board().happens("42a+ 44a+"),
        "DEAL": lambda: laid().happens("36a 37a 34b"),
        "TIE": lambda: laid("20a+ 21a+ 22a+ 42a+ 43a+ 45a+ 48a+").happens("36a 37a 34b 35b"),
        "ACT": lambda: built(ROW),
        "TAKE": lambda: built(ROW).play("D"),
        "TRASH": lambda: built(ROW).play("D", "3a"),
        "FORCED": lambda: built(ROW).play("D", "3a").play("T-"),
        "UNDO": lambda: built("42a+ 20b+ 44a+ 21b+", **behind).play("F2"),
        "RESOLVE": lambda: built("0a+ 1b+ 44a+ 20b+").play("F2"),
        "REDRAW": lambda: built(ROW).play("F2").happens("46a"),
        "OVER": lambda: built("42a+ 44a+ 46a+", levels=(1, 4), left="F").play("F1"),
    }
    return boards[name]()


def laid(row: str = "42a+ 44a+ 46a+ 20a+ 21a+ 22a+ 48a+") -> Board:
    return Board().happens(row)


# -- cards ------------------------------------------------------------------------------------------


def lay_a_card_twice(s: Any) -> None:
    s.card[0] = s.card[1]


def lose_a_card(s: Any) -> None:
    s.pile[s.pile_size - 1] = -1
    s.pile_size -= 1


def put_a_card_back(s: Any) -> None:
    s.deck |= 1 << 42


def turn_an_empty_place(s: Any) -> None:
    s.turned[6] = 1


def leave_a_card_behind_the_pile(s: Any) -> None:
    s.pile_size -= 1


def leave_a_gap(s: Any) -> None:
    for field in (s.card, s.side, s.turned, s.known):
        field[4], field[2] = field[2], field[4] if field is not s.card else -1
    s.side[2] = s.turned[2] = s.known[2] = 0


def discard_a_hand_card(s: Any) -> None:
    s.pile[s.pile_size], s.card[7] = s.card[7], -1
    s.pile_size += 1
    s.side[7] = s.known[7] = 0


def draw_a_card(s: Any) -> None:
    card = int(s.deck).bit_length() - 1
    s.deck ^= 1 << card
    s.card[DRAWN] = card


@pytest.mark.parametrize(
    ("breaks", "text"),
    [
        (lay_a_card_twice, "every card is in exactly one place"),
        (lose_a_card, "every card is in exactly one place"),
        (put_a_card_back, "every card is in exactly one place"),
        (turn_an_empty_place, "nothing is noted of places without a card"),
        (leave_a_card_behind_the_pile, "every card is in exactly one place"),
        (leave_a_gap, "the row has no gap"),
        (discard_a_hand_card, "both hands are full"),
        (draw_a_card, "a card is drawn if and only if"),
    ],
)
def test_cards(breaks: Callable[[Any], None], text: str) -> None:
    s = sound(built(ROW, pile="46 47"))
    breaks(s)
    assert text in told(s)


# -- values -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "changes", "text"),
    [
        ("ACT", {"decisions": 202}, "RS-40: the game has no more decisions"),
        ("ACT", {"lock": 1}, "RS-59, RS-61"),
        # whose move it is
        ("ACT", {"mover": 1}, "RS-16, RS-25"),
        ("ACT", {"turn": -1, "mover": CHANCE}, "RS-16, RS-25"),
        ("FORCED", {"mover": 0}, "RS-16, RS-25"),
        ("TAKE", {"mover": 0}, "RS-16, RS-25"),
        ("DEAL", {"turn": 0}, "RS-16, RS-25"),
        ("ACT", {"left": 0}, "RS-18"),
        # what is under way
        ("ACT", {"flipped": 1}, "what is under way"),
        ("ACT", {"resolving": 1}, "what is under way"),
        ("ACT", {"to_draw": {0: 1}}, "what is under way"),
        ("UNDO", {"flipped": 5}, "what is under way"),
        ("REDRAW", {"resolving": -1}, "what is under way"),
        ("DEAL", {"phase": "TIE"}, "the row has no gap"),
        ("ACT", {"side": {1: 0}}, "RS-18"),
        ("RESOLVE", {"side": {0: 1}}, "RS-32"),
        # the end
        ("ACT", {"mover": OVER}, "the game ends by a result"),
        ("ACT", {"mover": OVER, "truncated": 1}, "the game ends by a result"),
        ("ACT", {"winner": 0}, "the game ends by a result"),
        ("OVER", {"truncated": 1}, "the game ends by a result"),
        ("OVER", {"phase": "ACT"}, "the game ends by a result"),
        ("OVER", {"winner": 1}, "RS-45, RS-46"),
        ("OVER", {"winner": 2}, "RS-45, RS-46"),
        ("OVER", {"reason": 2}, "RS-45, RS-46"),
        ("OVER", {"reason": 3}, "RS-45, RS-46"),
        ("OVER", {"defcon": {1: 3}}, "RS-45, RS-46"),
    ],
)
def test_values(phase: str, changes: dict[str, Any], text: str) -> None:
    s = sound(in_phase(phase))
    for name, value in changes.items():
        if name == "phase":
            s.phase = PHASES.index(value)
        elif isinstance(value, dict):
            for place, number in value.items():
                s[name][place] = number
        elif s[name].shape:
            s[name][:] = value
        else:
            s[name] = value
    assert text in told(s)


@clause("RS-40")
@pytest.mark.parametrize(
    "options",
    [("comeback_circuits",), ("recycling_subsystems",), ("comeback_circuits", "recycling_subsystems")],
)
def test_a_game_may_be_longer_under_some_options(options: tuple[str, ...]) -> None:
    s = sound(built(ROW, **dict.fromkeys(options, True)))
    s.decisions = 202
    assert not told(s)


@clause("RS-48")
def test_a_hand_that_the_deck_cannot_fill() -> None:
    """Both other Resistors turn up their diamonds while Red lacks a card: no fault."""
    board = built("2b- 0b- 12b+ 20b+", deck="47", levels=(2, 2)).play("F2", "47a")
    assert (board.phase, board.hand("red")) == ("RESOLVE red", "47a --")
    sound(board)


@clause("RS-39")
def test_a_row_of_one_card() -> None:
    s = sound(built("42a+ 44a+"))
    s.pile[s.pile_size], s.pile_size, s.card[1] = s.card[1], s.pile_size + 1, -1
    s.length = 1
    assert "RS-39" in told(s)


@clause("RS-59")
def test_locks() -> None:
    s = sound(built("48a+ 49b+ 44a+", locks="red:48", lock_down=True))
    s.options.lock_down = 0
    assert "RS-59" in told(s)
    s.options.lock_down = 1
    for place in range(3):
        s.lock[place] = 1
    assert "RS-59" in told(s) or "RS-61" in told(s)


@clause("RS-61")
def test_a_locked_diamond() -> None:
    s = sound(built("12b+ 44a+ 20b+", lock_down=True))
    s.lock[0], s.side[0] = 1, 0
    assert "RS-61" in told(s)


# -- steps ------------------------------------------------------------------------------------------


@clause("RS-62")
def test_nobody_forgets() -> None:
    board = built(ROW, known="42:RB")
    before = sound(board).copy()
    s = sound(board.play("F1"))
    s.known[0] = 1
    assert "RS-62" in told(s, before)


@clause("RS-63")
def test_a_new_card_is_known_from_one_side() -> None:
    board = in_phase("TAKE")
    before = sound(board).copy()
    s = sound(board.happens("3a"))
    s.known[DRAWN] = 1
    assert "RS-63" in told(s, before)


@clause("RS-63")
def test_a_new_hand_card_is_known_from_one_side() -> None:
    board = in_phase("ACT")
    before = sound(board).copy()
    s = board.state
    drawn, first = int(s.deck).bit_length() - 1, DRAWN - 4
    s.deck = int(s.deck) ^ (1 << drawn) ^ (1 << int(s.card[first]))
    s.card[first], s.side[first], s.known[first] = drawn, 0, 0
    assert not told(s, before)
    s.known[first] = 1
    assert "RS-63" in told(s, before)


def test_the_pile_only_grows() -> None:
    board = built(ROW, pile="46 47")
    before = sound(board).copy()
    s = board.state
    s.card[0], s.pile[1], s.pile_size = 47, -1, 1  # 47 in the place of 42, which goes back into the deck
    s.deck |= 1 << 42
    assert "only Recycling Subsystems" in told(s, before)


def test_a_game_cut_off_at_its_limit_is_sound() -> None:
    s = sound(built(ROW, max_decisions=50))
    s.decisions, s.mover, s.truncated = 50, OVER, 1
    assert not told(s)
    s.decisions = 49
    assert "at its limit" in told(s)


@clause("RS-58")
def test_a_fresh_turn_with_four_actions_is_sound() -> None:
    sound(built("48a+ 20b+ 40a+", left="FDSL", lock_down=True))
