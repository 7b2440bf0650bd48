"""The page of a game by chapters, for the terminal."""

from __future__ import annotations

from rich.markdown import Markdown
from rich.text import Text

from polytrix.core.errors import PolytrixError
from polytrix.core.game import Game
from polytrix.core.pages import page_of
from polytrix.play.chapters import chapters_of, find_chapter, plain

from .screen import out


def show_chapter(game: Game, wanted: str) -> None:
    """Print a chapter by number or title, or without one the list of all.

    Raises:
        PolytrixError: the game has no page, or the page no such chapter.
    """
    path = page_of(game)
    if path is None:
        raise PolytrixError(f"{game.title} has no page: there is no README.md beside its rules")
    chapters = chapters_of(path.read_text(encoding="utf-8"))
    if not wanted:
        for number, chapter in enumerate(chapters, start=1):
            out.print(f"{number:>3} {chapter.title}", markup=False)
        out.print("Type rules and a number, or the beginning of a title.", markup=False)
        return
    show_by_screens(Markdown(plain(find_chapter(chapters, wanted).text)))


def show_by_screens(text: Markdown) -> None:
    """Print a text, in the system's pager if it is longer than the terminal."""
    if out.is_terminal and len(out.render_lines(text)) >= out.height:
        with out.pager():
            out.print(text)
    else:
        out.print(text)


def show_legend(game: Game) -> None:
    """Print how to read the board."""
    if game.legend:
        out.print(Text(f"How to read the board: {game.legend}"))
