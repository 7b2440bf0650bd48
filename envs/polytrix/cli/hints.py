"""Hints: what an agent would do, with the numbers behind it."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from polytrix.agents.policy import Policy, name_of
from polytrix.core.words import explained
from polytrix.play.opinions import HINTED, formatted, meanings, opinion
from polytrix.play.session import Session

from .screen import out


def show_hint(session: Session, policy: Policy) -> None:
    """Print the moves that a policy prefers, best first, with its numbers.

    Raises:
        PolicyError: the policy does not tell its reasons.
    """
    session.recall(policy, [int(session.state.mover)])
    held = opinion(session, policy)
    if held.likes_all_equally:
        out.print(f"{name_of(policy)} likes all {len(held.moves)} moves equally.", markup=False)
        return
    grid = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("", "move", *held.reasons):
        grid.add_column(title, justify="left" if title == "move" else "right", no_wrap=True)
    grid.add_column("what it does", overflow="fold")
    for move, numbers in held.moves[:HINTED]:
        cells = [formatted(name, numbers[name]) for name in held.reasons]
        words = explained(session.game, session.state, move.action)
        grid.add_row(str(move.number), Text(move.notation), *cells, Text(words))
    out.print(f"{name_of(policy)} would play {held.best.notation}:", markup=False)
    out.print(grid)
    more = f"{HINTED} of {len(held.moves)} moves. " if len(held.moves) > HINTED else ""
    out.print(f"{more}{meanings(held.reasons)}", markup=False)
