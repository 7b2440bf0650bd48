"""The table of tiles on the game's page; `tests/shared/test_pages.py` compares the others."""

from __future__ import annotations

import numpy as np

from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.effects import CATALOGUE
from polytrix.games.pressure_matrix.tiles import FACE_CODE
from tests.shared.pages import table


def test_tiles() -> None:
    rows = [[effect.code, str(np.count_nonzero(code == FACE_CODE))] for code, effect in enumerate(CATALOGUE, 1)]
    assert [[row[0], row[2]] for row in table(GAME, "Tiles")] == rows
