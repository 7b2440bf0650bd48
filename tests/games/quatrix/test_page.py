"""The game's page agrees with the game."""

from __future__ import annotations

import re
from pathlib import Path

from polytrix.core.options import Choice
from polytrix.games.quatrix import GAME, rules

PAGE = Path(rules.__file__).with_name("README.md").read_text()

CLAUSES = (
    [*range(1, 9), *range(10, 17), *range(20, 25), *range(30, 34), *range(40, 46), *range(50, 55)]
    + [*range(60, 66), *range(70, 74), *range(80, 87)]
)  # fmt: skip


def table(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without its title rows; cells without backquotes."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = section[section.index("\n|") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_clause_has_its_row_once() -> None:
    found = [int(number) for number in re.findall(r"^\| QX-(\d\d)(?: \*)? \|", PAGE, re.MULTILINE)]
    assert found == CLAUSES


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


def test_it_names_the_game_and_owns_up_to_the_reconstruction() -> None:
    assert PAGE.startswith(f"# {GAME.title}\n")
    assert f"`{GAME.id}`" in PAGE
    assert "not printed in the rulebook" in PAGE
