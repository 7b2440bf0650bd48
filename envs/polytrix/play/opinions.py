"""What an agent thinks of a position: what it expects, and its numbers for every legal move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polytrix.agents.policy import Policy, remembers

from .hints import ranked
from .moves import numbered
from .session import Session


class Weighed(NamedTuple):
    """A legal move with an agent's numbers."""

    action: int
    notation: str
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
    def best(self) -> Weighed:
        """The move that it likes best."""
        return self.moves[0]

    def likes_best(self, action: int) -> bool:
        """Whether it likes no other move better than this one."""
        first = self.names[0]
        rating = {move.action: move.numbers[first] for move in self.moves}
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
    moves = ranked(numbered(session.game, session.state, session.legal()), numbers)
    if "visits" in numbers:
        numbers = {"probability": numbers["visits"] / numbers["visits"].sum(), **numbers}
    return Opinion(
        int(session.state.mover),
        tuple(expected),
        tuple(numbers),
        tuple(
            Weighed(
                move.action,
                move.notation,
                {name: float(column[move.action]) for name, column in numbers.items()},
            )
            for move in moves
        ),
    )


def known(number: float) -> float | None:
    """A number for JSON: four decimals, None instead of NaN.

    >>> known(0.123456), known(float("nan"))
    (0.1235, None)
    """
    return None if np.isnan(number) else round(number, 4)
