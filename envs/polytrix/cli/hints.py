"""Hints: what an agent would do, with the numbers behind it."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from polytrix.agents.policy import Policy, name_of
from polytrix.core.words import explained
from polytrix.play.hints import SHOWN, formatted, likes_all_equally, meanings, ranked
from polytrix.play.moves import Numbered
from polytrix.play.session import Session

from .screen import out


def show_hint(session: Session, policy: Policy, moves: list[Numbered]) -> None:
    """Print the moves that a policy prefers, best first, with its numbers.

    Raises:
        PolicyError: the policy does not tell its reasons.
    """
    session.recall(policy, [int(session.state.mover)])
    numbers = session.reasons(policy)
    best = ranked(moves, numbers)
    if likes_all_equally(best, numbers):
        out.print(f"{name_of(policy)} likes all {len(best)} moves equally.", markup=False)
        return
    grid = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("", "move", *numbers):
        grid.add_column(title, justify="left" if title == "move" else "right", no_wrap=True)
    grid.add_column("what it does", overflow="fold")
    for move in best[:SHOWN]:
        cells = [formatted(name, float(column[move.action])) for name, column in numbers.items()]
        words = explained(session.game, session.state, move.action)
        grid.add_row(str(move.number), Text(move.notation), *cells, Text(words))
    out.print(f"{name_of(policy)} would play {best[0].notation}:", markup=False)
    out.print(grid)
    more = f"{SHOWN} of {len(best)} moves. " if len(best) > SHOWN else ""
    out.print(f"{more}{meanings(numbers)}", markup=False)
