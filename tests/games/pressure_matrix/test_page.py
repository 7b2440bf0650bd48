"""The game's page; `tests/shared/test_pages.py` compares its tables."""

from __future__ import annotations

import numpy as np

from polytrix.games.pressure_matrix import GAME
from polytrix.games.pressure_matrix.effects import CATALOGUE
from polytrix.games.pressure_matrix.tiles import FACE_CODE
from tests.shared.pages import clause_rows, page_of, table


def test_every_clause_has_its_row_once() -> None:
    assert clause_rows(GAME, "PM") == list(range(1, 98))


def test_tiles() -> None:
    rows = [[effect.code, str(np.count_nonzero(code == FACE_CODE))] for code, effect in enumerate(CATALOGUE, 1)]
    assert [[row[0], row[2]] for row in table(GAME, "Tiles")] == rows


def test_it_owns_up_to_the_reconstruction() -> None:
    assert "**The tiles are a reconstruction.**" in page_of(GAME)
