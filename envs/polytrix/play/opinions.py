"""What an agent thinks of a position: what it expects, and its numbers for every legal move; in words, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polytrix.agents.policy import Policy, remembers

from .moves import Numbered, numbered
from .session import Session

HINTED = 5
"""The most moves in a hint."""

FORMATS = {"probability": "{:.1%}", "visits": "{:.0f}", "value": "{:+.2f}", "score": "{:.2f}"}

MEANINGS = {
    "probability": "how often the agent plays the move",
    "visits": "how often the search has tried it",
    "value": "the payoff that the search expects",
    "score": "the highest is played",
}


class Weighed(NamedTuple):
    """A legal move with an agent's numbers."""

    move: Numbered
    numbers: Mapping[str, float]
    """By name; NaN for a value that a search does not have, since it has not tried the move."""


@dataclass(frozen=True)
class Opinion:
    """What an agent thinks of a position in place of the seat to move.

    Attributes:
        seat: the seat to move.
        expected: the payoff that it expects for each seat; NaN where it expects none.
        names: of the numbers. A search tells the share of visits as `probability`, then `visits` and `value`.
        moves: all legal moves, best first.
    """

    seat: int
    expected: tuple[float, ...]
    names: tuple[str, ...]
    moves: tuple[Weighed, ...]

    @property
    def best(self) -> Numbered:
        """The move that it likes best."""
        return self.moves[0].move

    @property
    def reasons(self) -> tuple[str, ...]:
        """The names of the numbers that the agent tells itself, without the share of visits."""
        return self.names[1:] if "visits" in self.names else self.names

    @property
    def likes_all_equally(self) -> bool:
        """Whether there are several moves, and the number that decides is the same for all of them."""
        return len(self.moves) > 1 and self.likes_best(self.moves[-1].move.action)

    def likes_best(self, action: int) -> bool:
        """Whether it likes no other move better than this one."""
        first = self.names[0]
        rating = {each.move.action: each.numbers[first] for each in self.moves}
        return rating[action] == rating[self.best.action]


def considered(session: Session, policy: Policy) -> Opinion:
    """As `opinion`, for each decision of a game from the first one on, after `begin_games`."""
    held = opinion(session, policy)
    if remembers(policy):
        session.choose(policy)
    return held


def opinion(session: Session, policy: Policy) -> Opinion:
    """What a policy thinks of the present position, from what the seat to move sees only.

    A policy with a memory must have gone through the decisions before; see `Session.recall`.

    Raises:
        PolicyError: the policy does not tell its reasons.
    """
    numbers = session.reasons(policy)
    expected = session.expected(policy, numbers)
    if "visits" in numbers:
        numbers = {"probability": numbers["visits"] / numbers["visits"].sum(), **numbers}
    moves = [
        Weighed(move, {name: float(column[move.action]) for name, column in numbers.items()})
        for move in numbered(session.game, session.state, session.legal())
    ]
    moves.sort(key=lambda each: [-np.inf if np.isnan(x) else x for x in each.numbers.values()], reverse=True)
    return Opinion(session.state.mover, tuple(expected), tuple(numbers), tuple(moves))


def formatted(name: str, number: float) -> str:
    """A number of an opinion for a table.

    >>> formatted("probability", 0.25), formatted("value", float("nan"))
    ('25.0%', '-')
    """
    return "-" if np.isnan(number) else FORMATS.get(name, "{:.2f}").format(number)


def meanings(names: Iterable[str]) -> str:
    """What numbers mean, in one line."""
    meant = "; ".join(f"{name}: {MEANINGS.get(name, 'more is better')}" for name in names)
    return f"{meant[:1].upper()}{meant[1:]}."


def known(number: float) -> float | None:
    """A number for JSON: four decimals, None instead of NaN.

    >>> known(0.123456), known(float("nan"))
    (0.1235, None)
    """
    return None if np.isnan(number) else round(number, 4)
