"""The game's page beyond its tables, which `tests/shared/test_pages.py` compares."""

from __future__ import annotations

from polytrix.games.resistor import GAME
from tests.shared.pages import clause_rows, page_of


def test_every_clause_has_its_row_once() -> None:
    assert clause_rows(GAME, "RS") == [*range(1, 69)]


def test_it_owns_up_to_the_reconstruction() -> None:
    assert "The printed one is not known to us" in page_of(GAME)
