"""What an agent thinks of each position of a game, and where it changes its mind."""

from __future__ import annotations

from dataclasses import dataclass

from polytrix.agents.policy import Policy, begin_games, name_of
from polytrix.core.words import explained
from polytrix.play.opinions import Opinion, considered, known, opinion
from polytrix.play.session import Session

MOST_MOVES = 12
"""The most moves of an opinion, besides the one played."""

JUMP = 0.25
"""An agent changes its mind if what it expects changes by this share of the most that can be won."""


@dataclass(frozen=True)
class Liked:
    """A move that an agent likes.

    Attributes:
        notation, meaning: the move.
        numbers: in the order of `Thought.names`; None where there is none.
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
        begin_games(policy, 1)

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
        return self.compare(session, considered(session, self.policy), action)

    def think_again(self, session: Session, action: int | None) -> Thought:
        """As `think`, for an agent that has been asked about other games in between."""
        session.recall(self.policy, [int(session.state.mover)])
        return self.compare(session, opinion(session, self.policy), action)

    def compare(self, session: Session, held: Opinion, action: int | None) -> Thought:
        """An opinion of the present position beside the one of the seat's decision before."""
        before = self._before.get(held.seat)
        if action is not None:
            self._before[held.seat] = held, action
        return Thought(
            held.seat,
            tuple(map(known, held.expected)),
            held.names,
            len(held.moves),
            tuple(
                Liked(
                    each.move.notation,
                    explained(session.game, session.state, each.move.action),
                    tuple(known(each.numbers[name]) for name in held.names),
                    each.move.action == action,
                    touched(session, each.move.action),
                )
                for place, each in enumerate(held.moves)
                if place < MOST_MOVES or each.move.action == action
            ),
            held.likes_all_equally,
            action is not None and not held.likes_best(action),
            None if before is None else self._jump(held, before[0]),
            "" if before is None else liked_before(held, *before),
        )

    def _jump(self, held: Opinion, before: Opinion) -> float | None:
        change = known(held.expected[held.seat] - before.expected[held.seat])
        return change if change is not None and abs(change) >= JUMP * self._limit else None


def touched(session: Session, action: int) -> tuple[str, ...]:
    """The places of the drawing that a legal action touches."""
    touch = session.game.touch
    return () if touch is None else touch(session.state, action)


def liked_before(held: Opinion, before: Opinion, action: int) -> str:
    """See `Thought.liked`; `action` is what was played before."""
    wanted = before.best.action
    if before.likes_best(action) or wanted not in [each.move.action for each in held.moves]:
        return ""
    return "" if held.likes_best(wanted) else before.best.notation
