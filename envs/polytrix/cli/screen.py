"""Consoles, tables, and what is shown while an agent compiles.

Both consoles look up the standard streams each time they write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import wrap

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from polytrix.agents import Policy
from polytrix.agents.policy import name_of, needs_states
from polytrix.core.game import Game
from polytrix.core.terminal import printable
from polytrix.play.opponents import compile_policy


class Screen(Console):
    """A console that shows control characters in what it prints, instead of sending them to the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """As Rich does, whose own cursor movements pass."""
        for text, style, control in super().render(renderable, options):
            yield Segment(text if control else printable(text), style, control)


out = Screen(highlight=False)
err = Screen(stderr=True, highlight=False)


def echo(text: str, err: bool = False) -> None:
    """Print a text as it is, but for control characters."""
    typer.echo(printable(text), err=err)


def fold(text: str, width: int) -> str:
    """A position with its long lines made narrower, or broken between words and indented.

    >>> print(fold("food  apple banana cherry\\n a1 king      a2 queen", 20))
    food  apple banana
        cherry
     a1 king  a2 queen
    """
    return "\n".join(part for line in text.splitlines() for part in _parts(line, width))


def _parts(line: str, width: int) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    if len(line) > width:
        line = re.sub(" --+$", "", line)  # a rule to the edge of a board
    if len(line) > width:
        line = indent + re.sub(" {3,}", "  ", line.strip())
    if len(line) <= width:
        return [line]
    return wrap(line, width, subsequent_indent=f"{indent}    ", break_on_hyphens=False)


def echo_folded(text: str) -> None:
    """Print a position or a turn, no wider than the terminal."""
    echo(fold(text, out.width))


def table(*columns: str, right: Iterable[str] = (), title: str | None = None) -> Table:
    """An empty table; the columns named in `right` are aligned to the right."""
    made = Table(title=title, title_justify="left", header_style="bold")
    aligned = set(right)
    for column in columns:
        made.add_column(
            column,
            justify="right" if column in aligned else "left",
            overflow="fold",  # instead of truncated in a narrow terminal
            no_wrap=column in aligned or column == columns[0],
        )
    return made


def row(made: Table, *cells: object) -> None:
    """Add a row of plain text, without Rich markup."""
    made.add_row(*(Text(printable(str(cell))) for cell in cells))


_COMPILED: list[Policy] = []


def make_ready(game: Game, policy: Policy) -> None:
    """Compile a search before its first choice, and show a message while that takes time."""
    if needs_states(policy) and all(policy is not other for other in _COMPILED):
        what = f"{name_of(policy)} is being compiled for {game.title}; that is kept for the next time ..."
        with err.status(what):
            compile_policy(game, policy)
        _COMPILED.append(policy)
