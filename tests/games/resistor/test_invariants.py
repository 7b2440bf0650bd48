"""Each invariant detects the steps that break it; `broken_positions.txt` has states that do.

The shared tests and long random play show that all hold.
"""

from __future__ import annotations

from typing import Any

import pytest

from polytrix.core.state import OVER
from polytrix.games.resistor import GAME
from polytrix.games.resistor.state import Place
from tests.games.planted import broken, change

from .positions import Position

ROW = "row 42a+ 0b- 44a+ 20b+; pile 46 47"  # F2 turns up a diamond that leads home for Red


def at(text: str) -> Position:
    """A position, then `>` and what is played. All is well there."""
    position, _, actions = text.partition(" > ")
    table = Position(position)
    for action in actions.split():
        if action[0].isdigit():
            table.draw(action)
        else:
            table.act(action)
    assert not broken(GAME, table.state)
    return table


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
