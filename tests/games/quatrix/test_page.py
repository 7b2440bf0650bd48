"""The text of the game's page; `tests/shared/test_pages.py` compares its tables."""

from __future__ import annotations

from polytrix.games.quatrix import GAME
from tests.shared.pages import clause_rows, page_of

CLAUSES = (
    [*range(1, 9), *range(10, 17), *range(20, 25), *range(30, 34), *range(40, 46), *range(50, 55)]
    + [*range(60, 66), *range(70, 74), *range(80, 87)]
)  # fmt: skip


def test_every_clause_has_its_row_once() -> None:
    assert clause_rows(GAME, "QX") == CLAUSES


def test_it_owns_up_to_the_reconstruction() -> None:
    assert "not printed in the rulebook" in page_of(GAME)
