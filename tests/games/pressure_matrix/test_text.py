"""The text of a position."""

from __future__ import annotations

import re

import pytest

from polytrix.games.pressure_matrix import GAME

from .random_positions import positions


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_text_names_every_tile(players: int) -> None:
    for s in positions(players, 40, seed=players):
        lines = GAME.text(s, None).splitlines()
        side = {2: 3, 3: 4, 4: 4, 5: 5}[players]
        assert sum(bool(re.match(r"[a-e][1-5]: ", line)) for line in lines) == side * side
        assert lines[0].startswith(f"n={players} at=")
