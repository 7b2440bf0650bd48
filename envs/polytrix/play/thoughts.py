"""What an agent thinks of a position: what it expects, its numbers for each move, where it changes its mind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from polytrix.agents.policy import Policy, name_of
from polytrix.core.words import Move

from .session import Session, Turn, join_outcomes

HINTED, SHOWN, MOST_MOVES = 5, 3, 12
"""The most moves in a hint, in a line, and in a replay; the last two show the one played besides."""

JUMP = 0.25
"""An agent changes its mind if what it expects changes by this share of the most that can be won."""

FORMATS = {"probability": "{:.1%}", "visits": "{:.0f}", "value": "{:+.2f}", "score": "{:.2f}"}

MEANINGS = {
    "probability": "how often the agent plays the move",
    "visits": "how often the search has tried it",
    "value": "the payoff that the search expects",
    "score": "the highest is played",
}


class Weighed(NamedTuple):
    """A legal move with an agent's numbers."""

    move: Move
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
    def best(self) -> Move:
        """The move that it likes best."""
        return self.moves[0].move

    @property
    def reasons(self) -> tuple[str, ...]:
        """The names of the numbers that the agent tells itself, without the share of visits."""
        return self.names[1:] if "visits" in self.names else self.names

    @property
    def likes_all_equally(self) -> bool:
        """Whether there are several moves, and the number that decides is the same for all of them."""
        return len(self.moves) > 1 and self.likes_best(self.moves[-1].move.id)

    def first(self, most: int, played: int | None) -> list[Weighed]:
        """The moves that it likes best, best first, and the one played, if one was."""
        return [each for i, each in enumerate(self.moves) if i < most or each.move.id == played]

    def likes_best(self, action: int) -> bool:
        """Whether it likes no other move better than this one."""
        first = self.names[0]
        rating = {each.move.id: each.numbers[first] for each in self.moves}
        return rating[action] == rating[self.best.id]


def opinion(session: Session, policy: Policy) -> Opinion:
    """What a policy thinks of the present position, from what the seat to move sees only.

    A policy with a memory goes through the seat's decisions before, see `Session.recall`.

    Raises:
        PolicyError: the policy does not tell its reasons.
    """
    session.recall(policy, [session.state.mover])
    numbers = session.reasons(policy)
    expected = session.expected_payoffs(policy, numbers)
    if "visits" in numbers:
        numbers = {"probability": numbers["visits"] / numbers["visits"].sum(), **numbers}
    moves = [
        Weighed(move, {name: float(column[move.id]) for name, column in numbers.items()})
        for move in session.moves()
    ]
    moves.sort(key=lambda each: [-np.inf if np.isnan(x) else x for x in each.numbers.values()], reverse=True)
    return Opinion(session.state.mover, tuple(expected), tuple(numbers), tuple(moves))


def format_number(name: str, number: float) -> str:
    """A number of an opinion for a table.

    >>> format_number("probability", 0.25), format_number("value", float("nan"))
    ('25.0%', '-')
    """
    return "-" if np.isnan(number) else FORMATS.get(name, "{:.2f}").format(number)


def meanings(names: Iterable[str]) -> str:
    """What numbers mean, in one line."""
    meant = "; ".join(f"{name}: {MEANINGS.get(name, 'more is better')}" for name in names)
    return f"{meant[:1].upper()}{meant[1:]}."


def json_number(number: float) -> float | None:
    """A number for JSON, which has neither NaN nor infinity: four decimals, None instead of those.

    >>> json_number(0.123456), json_number(float("nan"))
    (0.1235, None)
    """
    return round(number, 4) if np.isfinite(number) else None


# -- as text -------------------------------------------------------------------------------


def in_text(held: Opinion, played: int) -> str:
    """What the agent expects for the seat to move, and the moves that it likes best, with its numbers."""
    moves = (
        f"{each.move.notation} {figures(held, each)}{' (played)' * (each.move.id == played)}"
        for each in held.first(SHOWN, played)
    )
    return f"{expected_payoff(held)}: {', '.join(moves)}"


def expected_payoff(held: Opinion) -> str:
    """The payoff that the agent expects for the seat to move, `-` if it expects none."""
    return format_number("value", held.expected[held.seat])


def figures(held: Opinion, each: Weighed) -> str:
    """A move's numbers; of a search, the share of visits and the value."""
    return " ".join(format_number(name, each.numbers[name]) for name in held.names if name != "visits")


def how_to_read(policy: Policy) -> str:
    """What the thoughts of a policy are."""
    return (
        f"{name_of(policy)} tells the payoff that it expects for the seat to move, and the moves that it likes "
        "best, with its numbers; those of a search are the share of visits and the value."
    )


def as_markdown(heading: Sequence[str], steps: Sequence[tuple[Turn, int, Sequence[Opinion]]]) -> str:
    """A table of decisions, one a row: what was played, and what agents thought before it; the move is bold."""
    lines = [row(heading), row(["---:", *["---"] * (len(heading) - 1)])]
    for number, (turn, played, opinions) in enumerate(steps, start=1):
        cells = [str(number), turn.seat, code(turn.move), code(join_outcomes(turn.chance))]
        for held in opinions:
            moves = []
            for each in held.first(SHOWN, played):
                bold = "**" if each.move.id == played else ""
                moves.append(f"{bold}{code(each.move.notation)}{bold} {figures(held, each)}")
            cells += [expected_payoff(held), ", ".join(moves)]
        lines.append(row(cells))
    return "\n".join(lines)


def code(text: str) -> str:
    """A text as code in a cell of a table, or nothing."""
    return text and f"`{text}`".replace("|", r"\|")


def row(cells: Sequence[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"


# -- in the course of a game ---------------------------------------------------------------


@dataclass(frozen=True)
class Liked:
    """A move that an agent likes.

    Attributes:
        notation, meaning: the move.
        numbers: in the order of `Thought.names`; None where there is no finite one.
        played: whether it was played.
        touches: the places of the drawing that it touches, in order; () where the game does not name them.
    """

    notation: str
    meaning: str
    numbers: tuple[float | None, ...]
    played: bool
    touches: tuple[str, ...]


@dataclass(frozen=True)
class Thought:
    """What an agent thinks before a decision, in place of the seat to move.

    Attributes:
        seat: the seat to move.
        expected: the payoff that it expects for each seat; None where it expects none.
        names: of the numbers; the first one decides, except that a search has the share of visits first.
        count: the number of legal moves.
        moves: those that it likes best, best first, and the one played.
        equal: whether it likes all moves equally.
        differs: whether it likes another move better than the one played.
        jump: how much more it expects for this seat than at the seat's decision before, if that is much.
        liked: the move that it liked best at the seat's decision before, which was not played, is still
            legal, and no longer liked best; "" if there is none.
    """

    seat: int
    expected: tuple[float | None, ...]
    names: tuple[str, ...]
    count: int
    moves: tuple[Liked, ...]
    equal: bool
    differs: bool
    jump: float | None
    liked: str


class Mind:
    """An agent that is asked about the decisions of a game, from the first one on.

    Args:
        policy: the agent.
        limit: the most that can be won.
    """

    def __init__(self, policy: Policy, limit: float) -> None:
        self.policy = policy
        self._limit = limit
        self._before: dict[int, tuple[Opinion, int]] = {}

    @property
    def name(self) -> str:
        """What the agent is called."""
        return name_of(self.policy)

    def think(self, session: Session, action: int | None) -> Thought:
        """What it thinks of the present position.

        Args:
            session: the game, at this decision.
            action: the action that was played, if one was.

        Raises:
            PolicyError: the agent does not tell its reasons.
        """
        return self.compare(session, opinion(session, self.policy), action)

    def compare(self, session: Session, held: Opinion, action: int | None) -> Thought:
        """An opinion of the present position beside the one of the seat's decision before."""
        before = self._before.get(held.seat)
        if action is not None:
            self._before[held.seat] = held, action
        return Thought(
            held.seat,
            tuple(map(json_number, held.expected)),
            held.names,
            len(held.moves),
            tuple(
                Liked(
                    each.move.notation,
                    each.move.words,
                    tuple(json_number(each.numbers[name]) for name in held.names),
                    each.move.id == action,
                    touched_places(session, each.move.id),
                )
                for each in held.first(MOST_MOVES, action)
            ),
            held.likes_all_equally,
            action is not None and not held.likes_best(action),
            None if before is None else self._jump(held, before[0]),
            "" if before is None else liked_before(held, *before),
        )

    def _jump(self, held: Opinion, before: Opinion) -> float | None:
        change = json_number(held.expected[held.seat] - before.expected[held.seat])
        return change if change is not None and abs(change) >= JUMP * self._limit else None


def touched_places(session: Session, action: int) -> tuple[str, ...]:
    """The places of the drawing that a legal action touches."""
    touch = session.game.touch
    return () if touch is None else touch(session.state, action)


def liked_before(held: Opinion, before: Opinion, action: int) -> str:
    """See `Thought.liked`; `action` is what was played before."""
    wanted = before.best.id
    if before.likes_best(action) or wanted not in [each.move.id for each in held.moves]:
        return ""
    return "" if held.likes_best(wanted) else before.best.notation
