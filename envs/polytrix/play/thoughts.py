"""What an agent thinks at a decision of a recorded game: what it expects, and the moves that it likes best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from polytrix.agents.policy import Policy, name_of

from .opinions import Opinion, considered, formatted
from .session import Session, Turn, listed

SHOWN = 3
"""The most moves at a decision, besides the one played."""


class Liked(NamedTuple):
    """A move with an agent's numbers, as text."""

    notation: str
    numbers: str
    played: bool


class Thoughts(NamedTuple):
    """What an agent thinks before a decision."""

    expected: str
    """The payoff that it expects for the seat to move, `-` if it expects none."""
    moves: tuple[Liked, ...]
    """Those that it likes best, best first, and the one played."""

    def __str__(self) -> str:
        moves = (f"{move.notation} {move.numbers}{' (played)' * move.played}" for move in self.moves)
        return f"{self.expected}: {', '.join(moves)}"


def thoughts(session: Session, policy: Policy, action: int) -> Thoughts:
    """What a policy thinks before an action of the seat to move, from what that seat sees only.

    A policy with a memory is to be asked about every decision, from the first one on, after `begin_games`.

    Raises:
        PolicyError: the policy does not tell its reasons.
    """
    return in_text(considered(session, policy), action)


def in_text(held: Opinion, action: int) -> Thoughts:
    """An opinion before an action, as text."""
    shown = [name for name in held.names if name != "visits"]
    return Thoughts(
        formatted("value", held.expected[held.seat]),
        tuple(
            Liked(
                each.move.notation,
                " ".join(formatted(name, each.numbers[name]) for name in shown),
                each.move.action == action,
            )
            for place, each in enumerate(held.moves)
            if place < SHOWN or each.move.action == action
        ),
    )


def how_to_read(policy: Policy) -> str:
    """What the thoughts of a policy are."""
    return (
        f"{name_of(policy)} tells the payoff that it expects for the seat to move, and the moves that it likes "
        "best, with its numbers; those of a search are the share of visits and the value."
    )


def as_markdown(heading: Sequence[str], steps: Sequence[tuple[Turn, Sequence[Thoughts]]]) -> str:
    """A table of decisions, one a row; the move played is bold among the moves that an agent likes."""
    lines = [row(heading), row(["---:", *["---"] * (len(heading) - 1)])]
    for number, (turn, told) in enumerate(steps, start=1):
        cells = [str(number), turn.seat, code(turn.move), code(listed(turn.chance))]
        for thought in told:
            moves = (
                f"**{code(move.notation)}** {move.numbers}"
                if move.played
                else f"{code(move.notation)} {move.numbers}"
                for move in thought.moves
            )
            cells += [thought.expected, ", ".join(moves)]
        lines.append(row(cells))
    return "\n".join(lines)


def code(text: str) -> str:
    """A text as code in a cell of a table, or nothing."""
    return text and f"`{text}`".replace("|", r"\|")


def row(cells: Sequence[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(cells)} |"
