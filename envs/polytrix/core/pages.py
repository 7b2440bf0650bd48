"""The page of a game: the README.md beside its rules."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from .game import Game


def page_of(game: Game) -> Path | None:
    """The README.md beside the rules of a game, if there is one."""
    path = Path(inspect.getfile(game.setup)).parent / "README.md"
    return path if path.is_file() else None


def page_text(game: Game) -> str:
    """The page of a game, in Markdown; "" if it has none."""
    path = page_of(game)
    return "" if path is None else path.read_text(encoding="utf-8")


def section(page: str, heading: str) -> str:
    r"""The section of a Markdown page under a level-2 heading, heading included; "" if it is missing.

    >>> section("# A\n## Payoffs\n1 or -1\n## More\n", "Payoffs")
    '## Payoffs\n1 or -1\n'
    """
    found = re.search(rf"^## {re.escape(heading)}$.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    return found.group() if found else ""


def rules_text(game: Game) -> str:
    """The page up to the section "Actions", and the section "Payoffs"; "" if there is no page."""
    page = page_text(game)
    rules = page.split("\n## Actions\n")[0].rstrip()
    return f"{rules}\n\n{section(page, 'Payoffs').rstrip()}\n" if page else ""


def notation_text(game: Game) -> str:
    """How actions are numbered and written: the section "Actions" of the page; "" if there is none."""
    return section(page_text(game), "Actions")
