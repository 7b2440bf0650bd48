"""Hints: what an agent would do, with the numbers behind it."""

from __future__ import annotations

import numpy as np
from rich.table import Table
from rich.text import Text

from polytrix.agents.policy import Policy, name_of
from polytrix.core.state import FloatArray
from polytrix.core.words import explained

from .moves import Numbered
from .screen import out
from .session import Session

SHOWN = 5
"""The most moves in a hint."""

FORMATS = {"probability": "{:.1%}", "visits": "{:.0f}", "value": "{:+.2f}", "score": "{:.2f}"}

MEANINGS = {
    "probability": "how often the agent plays the move",
    "visits": "how often the search has tried it",
    "value": "the payoff that the search expects",
    "score": "the highest is played",
}


def show_hint(session: Session, policy: Policy, moves: list[Numbered]) -> None:
    """Print the moves that a policy prefers, best first, with its numbers.

    Raises:
        PolicyError: the policy does not tell its reasons.
    """
    session.recall(policy, [int(session.state.mover)])
    numbers = session.reasons(policy)
    best = ranked(moves, numbers)
    first = next(iter(numbers.values()))
    if len({float(first[move.action]) for move in best}) == 1 and len(best) > 1:
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
    meant = "; ".join(f"{name}: {MEANINGS.get(name, 'more is better')}" for name in numbers)
    out.print(f"{more}{meant[:1].upper()}{meant[1:]}.", markup=False)


def ranked(moves: list[Numbered], numbers: dict[str, FloatArray]) -> list[Numbered]:
    """The moves by all numbers, best first; what has no number comes last."""

    def key(move: Numbered) -> tuple[float, ...]:
        return tuple(float(np.nan_to_num(column[move.action], nan=-np.inf)) for column in numbers.values())

    return sorted(moves, key=key, reverse=True)


def formatted(name: str, number: float) -> str:
    """A number of a reason for a table.

    >>> formatted("probability", 0.25), formatted("value", float("nan"))
    ('25.0%', '-')
    """
    return "-" if np.isnan(number) else FORMATS.get(name, "{:.2f}").format(number)
