"""A program as a policy, in games that are played one by one."""

from __future__ import annotations

import weakref

from polytrix.core.errors import NotationError, PolicyError
from polytrix.core.game import Game
from polytrix.core.state import ByteArray, IntArray
from polytrix.play.log import Log
from polytrix.play.session import Session

from ..answers import AnswerError
from .program import Program, Sitting
from .protocol import Talk


class ProgramPolicy:
    """The program of a spec `process:COMMAND`, with a process for each seat that it plays.

    It is told the log of a game, so it plays where there is one: in `Session.choose`, thus in `polytrix play`,
    `polytrix watch` and `Episode`. `polytrix arena` plays by itself.

    Args:
        game: the game that it is to play.
        spec: see `Program`.
    """

    def __init__(self, game: Game, spec: str) -> None:
        self.game, self.name = game, spec
        self._program = Program(spec)
        self._seats: dict[int, tuple[Session, Talk, Sitting, list[int]]] = {}
        weakref.finalize(self, self._program.close)

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: object) -> IntArray:
        raise PolicyError(
            f"{self.name} is told the log of a game, which batches do not have; it plays in polytrix arena, "
            "play and watch, in Episode, and in Session.choose"
        )

    def choose_in(self, session: Session) -> int:
        """Its action for the mover.

        Raises:
            PolicyError: it has given no legal move, so that it forfeits.
        """
        legal = session.legal()
        if len(legal) == 1:
            return legal[0]  # as everywhere, it is asked only if it has a choice
        seat = int(session.state.mover)
        talk, sitting = self._seat_of(session, seat)
        reply = sitting(talk.messages())
        try:
            action, _ = talk.read(reply.text)
        except (AnswerError, NotationError) as error:
            sitting.leave()
            del self._seats[seat]
            said = f"; its standard error ends: {reply.reasoning.strip()[-500:]}" if reply.reasoning else ""
            raise PolicyError(f"{self.name} forfeits the game: {error}{said}") from None
        talk.decided(reply.text)
        self._seats[seat] = session, talk, sitting, [*session.actions]
        return action

    def finish(self, session: Session) -> None:
        """Tell the processes of this game how it has ended."""
        for seat, (played, talk, sitting, _) in list(self._seats.items()):
            if played is session:
                sitting.leave(talk.farewell(session.payoff()) if session.over else ())
                del self._seats[seat]

    def _seat_of(self, session: Session, seat: int) -> tuple[Talk, Sitting]:
        """Where it sits; a new game begins there if this is another one, or decisions were taken back."""
        if seat in self._seats:
            before, talk, sitting, known = self._seats[seat]
            if before is session and session.actions[: len(known)] == known:
                return talk, sitting
            sitting.leave()
        talk, sitting = Talk(session, Log(session), seat), Sitting(self._program)
        self._seats[seat] = session, talk, sitting, [*session.actions]
        return talk, sitting
