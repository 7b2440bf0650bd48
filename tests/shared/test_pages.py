"""Every game's page agrees with the game."""

from __future__ import annotations

import re

from polytrix.core.game import Game
from polytrix.core.options import Choice, Flag, Option
from tests.every_game import every_game
from tests.shared.pages import page_of, table


@every_game
def test_sizes(game: Game) -> None:
    assert f"| actions | {game.actions.size}, " in page_of(game)
    assert f"never more than {game.max_legal} " in page_of(game)
    assert f"| observation | {game.observations.size} numbers" in page_of(game)


@every_game
def test_layouts(game: Game) -> None:
    for heading, layout in (("Actions", game.actions), ("Observation", game.observations)):
        expected = [[str(offset), name, shape, str(size)] for offset, name, shape, size, *_ in layout.table()]
        assert [row[:4] for row in table(game, heading)] == expected


@every_game
def test_options(game: Game) -> None:
    expected = [[option.name, values_of(option), str(option.default)] for option in game.options]
    assert [row[:3] for row in table(game, "Options")] == expected


def values_of(option: Option) -> str:
    """The values of an option, as pages write them."""
    if isinstance(option, Choice):
        return ", ".join(map(str, option.values))
    return "False, True" if isinstance(option, Flag) else f"{option.low} to {option.high}"


@every_game
def test_it_names_the_game(game: Game) -> None:
    assert page_of(game).startswith(f"# {game.title}\n")
    assert f"`{game.id}`" in page_of(game)


@every_game
def test_every_kind_of_action_names_clauses_of_the_page(game: Game) -> None:
    there = set(re.findall(r"^\| ([A-Z]{2}-\d+)", page_of(game), re.M))
    if game.clauses or game.setup.__module__.startswith("polytrix.games."):  # games of others need not name any
        assert set(game.clauses) == {block.name for block in game.actions.blocks}
    assert {clause for clauses in game.clauses.values() for clause in clauses} <= there
