"""The game's page agrees with the game."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from polytrix.core.options import Choice
from polytrix.games.pressure_matrix import GAME, rules
from polytrix.games.pressure_matrix.effects import CATALOGUE
from polytrix.games.pressure_matrix.tiles import FACE_CODE

PAGE = Path(rules.__file__).with_name("README.md").read_text()


def table(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without its title rows; cells without backquotes."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = section[section.index("\n|") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_clause_has_its_row_once() -> None:
    found = [int(number) for number in re.findall(r"^\| PM-(\d\d)(?: \*)? \|", PAGE, re.MULTILINE)]
    assert found == list(range(1, 94))


def test_actions() -> None:
    expected = [[str(offset), name, shape, str(size)] for offset, name, shape, size, *_ in GAME.actions.table()]
    assert [row[:4] for row in table("Actions")] == expected
    assert f"| actions | {GAME.actions.size}, " in PAGE
    assert f"never more than {GAME.max_legal} |" in PAGE


def test_observation() -> None:
    expected = [
        [str(offset), name, shape, str(size), bounds]
        for offset, name, shape, size, bounds, _ in GAME.observations.table()
    ]
    assert [row[:5] for row in table("Observation")] == expected
    assert f"| observation | {GAME.observations.size} numbers" in PAGE


def test_options() -> None:
    rows = []
    for option in GAME.options:
        if isinstance(option, Choice):
            values = ", ".join(map(str, option.values))
        else:
            values = f"{option.low} to {option.high}"
        rows.append([option.name, values, str(option.default)])
    assert [row[:3] for row in table("Options")] == rows


def test_tiles() -> None:
    rows = [[effect.code, str(np.count_nonzero(code == FACE_CODE))] for code, effect in enumerate(CATALOGUE, 1)]
    assert [[row[0], row[2]] for row in table("Tiles")] == rows


def test_it_names_the_game_and_owns_up_to_the_reconstruction() -> None:
    assert PAGE.startswith(f"# {GAME.title}\n")
    assert f"`{GAME.id}`" in PAGE
    assert "**The tiles are a reconstruction.**" in PAGE
