"""Actions and chance as text."""

from __future__ import annotations

import re
from typing import Any

from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.notation import ACTION_NAMES

from .play import bid, dealt, go, new_game
from .positions import Table

BLOCKS = {
    0: "roll", 1: "freeze", 2: "pass", 3: "recall", 4: "bid 0", 9: "bid 5", 10: "start nw", 14: "start centre",
    15: "move a1", 22: "move c2", 40: "node nw", 43: "node se", 44: "use a1.nw", 143: "use e5.se",
    144: "give +1", 148: "steal +1", 152: "runner +0", 157: "first +1", 161: "payer +0", 166: "flip a1",
    191: "invert a1", 216: "teleport a1", 241: "swap a1", 266: "reclaim a1.nw", 366: "discard a1.nw",
    466: "discard hand",
}  # fmt: skip


def test_names_of_actions() -> None:
    assert {action: ACTION_NAMES[action] for action in BLOCKS} == BLOCKS
    assert len(set(ACTION_NAMES)) == GAME.actions.size == 467


def test_chance() -> None:
    table = Table("n=2 runners=a1,c3")
    assert GAME.format_chance(table.state, 3) == "die 4"
    rolling_off = bid(dealt(players=5), [0] * 5, 1, 1, 1)
    assert GAME.format_chance(rolling_off, 3) == "rolloff 1: 4"
    deal = GAME.format_chance(dealt_but_one(), 0)
    assert re.fullmatch(r"deal c3 9f", deal)


def dealt_but_one() -> Any:
    """Outcome 0 takes the front of the first tile left: tiles 1 to 8 lie on the first eight squares."""
    return go(new_game(players=2), *[0] * 8)
