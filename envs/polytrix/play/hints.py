"""The numbers behind an agent's choice, put in order and in words."""

from __future__ import annotations

import numpy as np

from polytrix.core.state import FloatArray

from .moves import Numbered

SHOWN = 5
"""The most moves in a hint."""

FORMATS = {"probability": "{:.1%}", "visits": "{:.0f}", "value": "{:+.2f}", "score": "{:.2f}"}

MEANINGS = {
    "probability": "how often the agent plays the move",
    "visits": "how often the search has tried it",
    "value": "the payoff that the search expects",
    "score": "the highest is played",
}


def ranked(moves: list[Numbered], numbers: dict[str, FloatArray]) -> list[Numbered]:
    """The moves by all numbers, best first; what has no number comes last."""

    def key(move: Numbered) -> tuple[float, ...]:
        return tuple(float(np.nan_to_num(column[move.action], nan=-np.inf)) for column in numbers.values())

    return sorted(moves, key=key, reverse=True)


def likes_all_equally(best: list[Numbered], numbers: dict[str, FloatArray]) -> bool:
    """Whether the number that decides is the same for all of several moves."""
    first = next(iter(numbers.values()))
    return len({float(first[move.action]) for move in best}) == 1 and len(best) > 1


def formatted(name: str, number: float) -> str:
    """A number of a reason for a table.

    >>> formatted("probability", 0.25), formatted("value", float("nan"))
    ('25.0%', '-')
    """
    return "-" if np.isnan(number) else FORMATS.get(name, "{:.2f}").format(number)


def meanings(numbers: dict[str, FloatArray]) -> str:
    """What the numbers mean, in one line."""
    meant = "; ".join(f"{name}: {MEANINGS.get(name, 'more is better')}" for name in numbers)
    return f"{meant[:1].upper()}{meant[1:]}."
