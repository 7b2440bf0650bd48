"""Read a game's page, the README.md beside its rules, to compare it with the game."""

from __future__ import annotations

import sys
from itertools import takewhile
from pathlib import Path

from polytrix.core.game import Game


def page_path(game: Game) -> Path:
    """The path of the page."""
    source = sys.modules[game.setup.__module__].__file__
    assert source is not None
    return Path(source).with_name("README.md")


def page_of(game: Game) -> str:
    """The page's text."""
    return page_path(game).read_text(encoding="utf-8")


def table(game: Game, heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without its header; cells without backquotes."""
    section = page_of(game).split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = takewhile(lambda line: line.startswith("|"), section[section.index("\n|") + 1 :].splitlines())
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in rows][2:]
