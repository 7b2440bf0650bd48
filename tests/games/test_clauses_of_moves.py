"""The clauses that games name for their kinds of actions stand on their pages."""

from __future__ import annotations

import re

import pytest

import polytrix
from polytrix.core.game import Game
from polytrix.core.pages import page_of


@pytest.mark.parametrize("game", polytrix.all_games(), ids=lambda game: game.name)
def test_every_kind_of_action_names_clauses_of_the_page(game: Game) -> None:
    page = page_of(game)
    assert page is not None
    there = set(re.findall(r"^\| ([A-Z]{2}-\d+)", page.read_text(encoding="utf-8"), re.M))
    assert set(game.clauses) == {block.name for block in game.actions.blocks}
    assert {clause for clauses in game.clauses.values() for clause in clauses} <= there
