"""The rules of a game for the page: chapters as HTML, and the clauses by id."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt

from polytrix.core.game import Game
from polytrix.core.pages import chapters_of, page_text, plain
from polytrix.play.lessons import lesson_of

NOT_FOR_PLAYERS = ("Observation", "The search agent", "Measured", "Remarks", "Payoffs")
"""The chapters of a page that end its part for players begin with one of these titles."""

CLAUSE = re.compile(r"<tr>\n<td>([A-Z]{2,}-\d+)")


@cache
def chapters(game: Game) -> list[dict[str, Any]]:
    """The chapters for players, with HTML that holds no markup of the page's author; none without a page."""
    lesson, found = lesson_of(game), []
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    if lesson is not None:
        turn = "".join(f"<li>{escape(part)}</li>" for part in lesson.turn)
        found.append({"title": "How a turn goes", "html": f"<ol>{turn}</ol>", "open": True})
    for chapter in chapters_of(page_text(game)):
        if chapter.title in NOT_FOR_PLAYERS:
            break
        _, _, body = chapter.text.partition("\n")
        html = CLAUSE.sub(r'<tr data-clause="\1">\n<td>\1', markdown.render(plain(body)))
        found.append({"title": chapter.title, "html": html, "open": False})
    return found
