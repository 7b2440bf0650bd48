"""The game's page agrees with the game."""

from __future__ import annotations

import re
from pathlib import Path

from polytrix.core.options import Flag
from polytrix.games.resistor import GAME, rules

PAGE = Path(rules.__file__).with_name("README.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without its title rows; cells without backquotes."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = section[section.index("\n|") + 1 :].split("\n\n")[0].splitlines()
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_every_clause_has_its_row_once() -> None:
    found = [int(number) for number in re.findall(r"^\| RS-(\d\d)(?: \*)? \|", PAGE, re.MULTILINE)]
    assert found == [*range(1, 66)]


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
        values = "False, True" if isinstance(option, Flag) else f"{option.low} to {option.high}"
        rows.append([option.name, values, str(option.default)])
    assert [row[:3] for row in table("Options")] == rows


def test_it_names_the_game_and_owns_up_to_the_reconstruction() -> None:
    assert PAGE.startswith(f"# {GAME.title}\n")
    assert f"`{GAME.id}`" in PAGE
    assert "The printed one is not known to us" in PAGE


def test_the_example_of_another_deck_runs() -> None:
    names: dict[str, object] = {}
    exec(PAGE.split("```python\n")[1].split("```")[0], names)
    assert names["env"] is not None
