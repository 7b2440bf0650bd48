"""Each invariant detects the states that break it. The shared tests and long random play show that all hold."""

from __future__ import annotations

from typing import Any

import pytest

from polytrix.core.state import CHANCE, OVER
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import Phase, Place
from tests.games.planted import broken, change

from .positions import Position

ROW = "row 42a+ 0b- 44a+ 20b+; pile 46 47"  # F2 turns up a diamond that leads home for Red
LAID = "42a+ 44a+ 46a+ 20a+ 21a+ 22a+ 48a+ 36a 37a 34b"
LOCKS = "row 48a+ 12b+ 44a+; lock R48; opt lock_down"


def at(text: str) -> Position:
    """A position, then `>` and what is played; or `draw` and the cards of a fresh game. All is well there."""
    if text.startswith("draw "):
        table = Position()
        for card in text.split()[1:]:
            table.draw(card)
    else:
        position, _, actions = text.partition(" > ")
        table = Position(position)
        for action in actions.split():
            if action[0].isdigit():
                table.draw(action)
            else:
                table.advance(GAME.parse_action(table.state, action))
    assert not broken(GAME, table.state)
    return table


UNDO = "row 42a+ 20b+ 44a+ 21b+; lv 2/1; opt comeback_circuits > F2"
HIT = "row 0b+ 2b- 21a+; lv 1/4; left F > F3"


@pytest.mark.parametrize(
    ("position", "changes", "text"),
    [
        (ROW, {"card": {0: 0}}, "every card is in exactly one place"),
        (ROW, {"pile": {1: -1}, "pile_size": 1}, "every card is in exactly one place"),
        (ROW, {"deck": lambda deck: deck | 1 << 42}, "every card is in exactly one place"),
        (ROW, {"pile_size": 1}, "every card is in exactly one place"),
        (ROW, {"turned": {6: 1}}, "nothing is noted of places without a card"),
        (ROW, {"card": {2: -1, 4: 44}}, "the row has no gap"),
        (ROW, {"card": {7: -1}, "pile": {2: 36}, "pile_size": 3}, "both hands are full"),
        (ROW, {"card": {11: 49}, "deck": lambda deck: deck ^ 1 << 49}, "a card is drawn if and only if"),
        (ROW, {"decisions": 202}, "RS-40: the game has no more decisions"),
        (ROW, {"lock": dict.fromkeys(range(7), 1)}, "RS-59, RS-61"),
        (LOCKS, {"options": {"lock_down": 0}}, "RS-59"),
        (LOCKS, {"lock": {1: 1}, "side": {1: 0}}, "RS-61"),
        # whose move it is
        (ROW, {"mover": 1}, "RS-16, RS-25"),
        (ROW, {"turn": -1, "mover": CHANCE}, "RS-16, RS-25"),
        (f"{ROW} > D 3a T-", {"mover": 0}, "RS-16, RS-25"),
        (f"{ROW} > D", {"mover": 0}, "RS-16, RS-25"),
        (f"draw {LAID}", {"turn": 0}, "RS-16, RS-25"),
        (ROW, {"left": 0}, "RS-18"),
        # what is under way
        (ROW, {"flipped": 1}, "what is under way"),
        (ROW, {"resolving": 1}, "what is under way"),
        (ROW, {"to_draw": {0: 1}}, "what is under way"),
        (UNDO, {"flipped": 5}, "what is under way"),
        (f"{ROW} > F2 45a", {"resolving": -1}, "what is under way"),
        (f"draw {LAID}", {"phase": Phase.TIE}, "the row has no gap"),
        (ROW, {"side": {1: 0}}, "RS-18"),
        ("row 0a+ 1b+ 44a+ 20b+ > F2", {"side": {0: 1}}, "RS-32"),
        ("row 42a+ 44a+", {"length": 1, "card": {1: -1}, "pile": {0: 44}, "pile_size": 1}, "RS-39"),
        # the end
        (ROW, {"mover": OVER}, "the game ends by a result"),
        (ROW, {"mover": OVER, "truncated": 1}, "the game ends by a result"),
        (ROW, {"winner": 0}, "the game ends by a result"),
        (HIT, {"truncated": 1}, "the game ends by a result"),
        (HIT, {"phase": Phase.ACT}, "the game ends by a result"),
        (HIT, {"winner": 1}, "RS-45, RS-46"),
        (HIT, {"winner": 2}, "RS-45, RS-46"),
        (HIT, {"reason": 2}, "RS-45, RS-46"),
        (HIT, {"reason": 3}, "RS-45, RS-46"),
        (HIT, {"defcon": {1: 3}}, "RS-45, RS-46"),
    ],
)
def test_a_broken_state_is_noticed(position: str, changes: dict[str, Any], text: str) -> None:
    s = at(position).state
    change(s, changes)
    assert text in broken(GAME, s)


NEW = {"card": {Place.HANDS: 49}, "side": {7: 0}, "deck": lambda deck: deck ^ 1 << 49 ^ 1 << 36}


@pytest.mark.clause("RS-62", "RS-63")
@pytest.mark.parametrize(
    ("position", "play", "sound", "changes", "text"),
    [
        (f"{ROW}; know 42:RB", "F1", {}, {"known": {0: 1}}, "RS-62"),
        (f"{ROW} > D", "3a", {}, {"known": {Place.DRAWN: 1}}, "RS-63"),
        (ROW, "", NEW, {"known": {7: 1}}, "RS-63"),
        (ROW, "", {}, {"card": {0: 47}, "pile": {1: -1}, "pile_size": 1, "deck": lambda deck: deck | 1 << 42},
         "only Recycling Subsystems"),
    ],
)  # fmt: skip
def test_a_broken_step_is_noticed(
    position: str, play: str, sound: dict[str, Any], changes: dict[str, Any], text: str
) -> None:
    table = at(position)
    before = table.state.copy()
    if play:
        (table.draw if play[0].isdigit() else table.play)(play)
    change(table.state, sound)
    assert not broken(GAME, table.state, before)
    change(table.state, changes)
    assert text in broken(GAME, table.state, before)


@pytest.mark.clause("RS-40", "RS-48", "RS-58")
@pytest.mark.parametrize(
    ("position", "changes"),
    [
        (f"{ROW}; opt comeback_circuits", {"decisions": 202}),
        (f"{ROW}; opt recycling_subsystems", {"decisions": 202}),
        ("row 2b- 0b- 12b+ 20b+; deck 47; lv 2/2 > F2 47a", {}),  # Red lacks a card while diamonds wait
        (f"{ROW}; opt max_decisions=50", {"decisions": 50, "mover": OVER, "truncated": 1}),
        ("row 48a+ 20b+ 40a+; left FDSL; opt lock_down", {}),
    ],
)
def test_a_rare_state_is_sound(position: str, changes: dict[str, Any]) -> None:
    s = at(position).state
    change(s, changes)
    assert not broken(GAME, s)
