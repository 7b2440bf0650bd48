"""The page of a game, the README.md beside its rules: whole, in part, and by chapters."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import NamedTuple

from .calls import did_you_mean
from .errors import PolytrixError
from .game import Game

RULES = "Rules"
"""The chapter whose sections are chapters of their own."""


def beside(game: Game, name: str) -> Path | None:
    """A file beside the rules of a game, if there is one of this name."""
    path = Path(inspect.getfile(game.setup)).parent / name
    return path if path.is_file() else None


def page_of(game: Game) -> Path | None:
    """The README.md beside the rules of a game, if there is one."""
    return beside(game, "README.md")


def page_text(game: Game) -> str:
    """The page of a game, in Markdown without comments; "" if it has none."""
    path = page_of(game)
    return "" if path is None else re.sub(r"<!--.*?-->\n?", "", path.read_text(encoding="utf-8"))


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


def summary(game: Game) -> str:
    """The first paragraph of a game's page, without markup; "" if there is no page."""
    paragraph = next((part for part in plain(page_text(game)).split("\n\n")[1:] if part.strip()), "")
    return re.sub(r"[*`]", "", " ".join(paragraph.split()))


# -- chapters -------------------------------------------------------------------------------


class Chapter(NamedTuple):
    """A part of a page."""

    title: str
    text: str
    """In Markdown."""


def chapters_of(page: str) -> list[Chapter]:
    r"""The chapters of a page: the introduction, the sections of the rules, and the other chapters.

    >>> [chapter.title for chapter in chapters_of("# Go\nBoard\n## Rules\n### Ko\n...\n## Payoffs\n...")]
    ['Go', 'Rules', 'Ko', 'Payoffs']
    """
    found: list[Chapter] = []
    for part in re.split(r"^(?=##? )", page, flags=re.MULTILINE):
        for text in (
            re.split(r"^(?=### )", part, flags=re.MULTILINE) if part.startswith(f"## {RULES}") else [part]
        ):
            if text.strip():
                heading, _, _ = text.partition("\n")
                found.append(Chapter(heading.strip("# "), text))
    return found


def find_chapter(chapters: list[Chapter], wanted: str) -> Chapter:
    """The chapter of this number, or whose title begins with this text, or the part of a chapter."""
    if wanted.isascii() and wanted.isdecimal() and 1 <= int(wanted[:9]) <= len(chapters):
        return chapters[int(wanted[:9]) - 1]
    begin = [chapter for chapter in chapters if chapter.title.casefold().startswith(wanted.casefold())]
    exact = [chapter for chapter in begin if chapter.title.casefold() == wanted.casefold()]
    if begin:
        return (exact or begin[:1])[-1]  # a chapter of the rules may have the title of a chapter of the page
    for chapter in chapters:
        for part in re.split(r"^(?=###+ )", chapter.text, flags=re.MULTILINE)[1:]:
            title = part.partition("\n")[0].strip("# ")
            if title.casefold().startswith(wanted.casefold()):
                return Chapter(title, part)
    meant = did_you_mean(wanted, [chapter.title for chapter in chapters])
    raise PolytrixError(f"there is no chapter {wanted!r}; type rules for the list of {len(chapters)}.{meant}")


def plain(markdown: str) -> str:
    r"""Markdown without pictures, and the targets of links.

    >>> plain("![board](board.svg)See [Tiles](#tiles).")
    'See Tiles.'
    """
    without = re.sub(r"!\[[^\]]*\]\([^)]*\)|</?[a-z][^>\n]*>", "", markdown)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", without)
