"""The list of legal moves on the screen: fitted to it, explained, or as an agent likes them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from polytrix.agents.policy import Policy, name_of
from polytrix.core.words import Move
from polytrix.play.moves import Numbered
from polytrix.play.session import Session
from polytrix.play.thoughts import HINTED, format_number, meanings, opinion

from .screen import out

FEWEST_LINES = 4
"""A list gets at least so many lines, however large the board."""


def show(moves: Sequence[Numbered]) -> None:
    """Print moves in columns."""
    out.print(_columns(moves))


def _columns(moves: Sequence[Numbered], lines: int | None = None) -> RenderableType:
    """Moves in columns.

    Args:
        moves: with their numbers.
        lines: how many lines are left for them; if they need more, some are left out, as the last line says.
    """
    width = max((len(move.notation) for _, move in moves), default=0)
    column = width + 6  # number, blank, notation, two blanks
    per_line = max(1, (out.width + 2) // column)
    kept = list(moves)
    if lines is not None and -(-len(moves) // per_line) > max(lines, FEWEST_LINES):
        kept = kept[: per_line * (max(lines, FEWEST_LINES) - 1)]
    texts = [Text(f"{number:>3} {move.notation:<{width}}") for number, move in kept]
    columns = Columns(texts, equal=True, column_first=True, padding=(0, 2))
    if len(kept) == len(moves):
        return columns
    left_out = len(moves) - len(kept)
    return Group(
        columns, Text(f"    ... and {left_out} more; ? lists all of them, ? TEXT those that begin with TEXT")
    )


def offer(moves: Sequence[Move], lines: int) -> RenderableType:
    """The moves with what they do if that fits into these lines, else without, as far as they fit."""
    numbered = list(enumerate(moves, start=1))
    if len(moves) <= lines and len(out.render_lines(_explained(numbered))) <= lines:
        return _explained(numbered)
    return _columns(numbered, lines)


def show_explained(moves: Sequence[Numbered]) -> None:
    """Print moves with what they do, one below the other."""
    out.print(_explained(moves))


def _explained(moves: Sequence[Numbered]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", no_wrap=True, min_width=3)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for number, move in moves:
        grid.add_row(str(number), Text(move.notation), Text(move.words))
    return grid


def show_hint(session: Session, policy: Policy) -> None:
    """Print the moves that a policy prefers, best first, with its numbers.

    Raises:
        PolicyError: the policy does not tell its reasons.
    """
    held = opinion(session, policy)
    if held.likes_all_equally:
        out.print(f"{name_of(policy)} likes all {len(held.moves)} moves equally.", markup=False)
        return
    grid = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("", "move", *held.reasons):
        grid.add_column(title, justify="left" if title == "move" else "right", no_wrap=True)
    grid.add_column("what it does", overflow="fold")
    legal = session.legal()
    for move, numbers in held.moves[:HINTED]:
        cells = [format_number(name, numbers[name]) for name in held.reasons]
        grid.add_row(str(legal.index(move.id) + 1), Text(move.notation), *cells, Text(move.words))
    out.print(f"{name_of(policy)} would play {held.best.notation}:", markup=False)
    out.print(grid)
    more = f"{HINTED} of {len(held.moves)} moves. " if len(held.moves) > HINTED else ""
    out.print(f"{more}{meanings(held.reasons)}", markup=False)
