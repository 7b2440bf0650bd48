"""A seat's conversation: what a language model is told in a game, and what it has answered."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import chain

from polytrix.core.errors import GameOverError, NotationError
from polytrix.core.words import Move, parse_move, seat_text
from polytrix.play.log import Log
from polytrix.play.session import Session

from .answers import AnswerError, final_move, named_move, names_of
from .models import readable
from .prompts import Message, Prompts, log_line, refusal

CUT = "the limit of tokens has cut it off before it named a move; think and write less"
"""Why an answer is refused that was not finished."""
SILENCE = "(no answer)"
"""Stands in a chat for an empty answer."""


class Conversation:
    """The chat with the model in one seat of one game.

    Args:
        session: the game.
        log: of this game.
        seat: where the model sits.
        prompts: how it is asked.

    Attributes:
        task: the first message: task, rules and notation.
    """

    def __init__(self, session: Session, log: Log, seat: int, prompts: Prompts) -> None:
        self.seat = seat
        self._session, self._log, self._prompts = session, log, prompts
        self._game = session.game
        self.task = prompts.task(session.game, len(session.seats), seat)
        self._before: deque[list[Message]] = deque(maxlen=prompts.memory)  # earlier decisions
        self._told = 0  # number of decisions of the game that the model knows of
        self._asked: list[Message] = []  # the present question, and what followed it
        self._legal: list[Move] = []  # the moves that may answer it

    def question(self) -> str:
        """The message that asks for the present decision.

        Raises:
            GameOverError: another seat is to move, or none.
        """
        if self._session.over or int(self._session.state.mover) != self.seat:
            raise GameOverError(f"seat {self.seat} is not to move")
        if not self._asked:
            self._legal = self._session.moves()
            question = self._prompts.decision(self.position(), self._legal)
            self._asked = [{"role": "user", "content": question}]
        return self._asked[0]["content"]

    def position(self) -> str:
        """What has happened since the seat's last decision, and the position as the seat sees it."""
        game = self._game
        since = [log_line(game, entry, self.seat) for entry in self._log.entries(self.seat, self._told)]
        happened = "What has happened since your last decision:\n" + "\n".join(since) + "\n\n" if since else ""
        return happened + seat_text(game, self._session.state, self.seat)

    def messages(self) -> list[Message]:
        """The task, earlier decisions, the present question, and answers to it that were refused.

        Raises:
            GameOverError: another seat is to move, or none.
        """
        self.question()
        task: Message = {"role": "system", "content": self.task}
        return [task, *chain.from_iterable(self._before), *self._asked]

    def read(self, answer: str, cut: bool = False) -> tuple[int, bool]:
        """The legal action that an answer names, and whether it has another form than the one asked for.

        If it names none, `messages` says so from now on.

        Args:
            answer: what the model has said.
            cut: whether the limit of tokens has cut it off. Its last line then names no move, since it may be
                the beginning of another one.

        Raises:
            AnswerError, NotationError: it names none.
            GameOverError: another seat is to move, or none.
        """
        self.question()
        try:
            return self._read(answer.rpartition("\n")[0] if cut else answer)
        except (AnswerError, NotationError) as refused:
            error = AnswerError(CUT) if cut else refused
            self._asked += [assistant(answer), {"role": "user", "content": refusal(str(error))}]
            raise error from None

    def decided(self, answer: str | None) -> None:
        """To be called before the decision is played.

        Args:
            answer: that named the move, to be remembered; None: a move was made for the model.
        """
        self.question()
        if answer is not None:
            asked = self._asked if self._prompts.memory is None else self._asked[:1]
            self._before.append([*asked, assistant(answer)])
        elif self._prompts.memory is None:
            self._before.append(self._asked[:-1])  # it is not asked again
        self._asked = []
        self._told = len(self._session.actions)

    def _read(self, answer: str) -> tuple[int, bool]:
        try:
            return self._action(final_move(answer)), False
        except (AnswerError, NotationError):
            if self._prompts.strict:
                raise
        return named_move(answer, names_of(self._legal), self._action), True

    def _action(self, move: str) -> int:
        """The legal action that the model's move names."""
        return parse_move(self._game, self._session.state, move, self._legal)


def assistant(answer: str) -> Message:
    """What the model has said, in a form that every server reads: many refuse empty messages."""
    return {"role": "assistant", "content": readable(answer) if answer.strip() else SILENCE}


def without_system_role(messages: Sequence[Message]) -> list[Message]:
    """A chat for models that know no role "system": the task is the beginning of the first question.

    >>> without_system_role([{"role": "system", "content": "Play."}, {"role": "user", "content": "Your move?"}])
    [{'role': 'user', 'content': 'Play.\\n\\nYour move?'}]
    """
    task, question, *others = messages
    return [{"role": "user", "content": f"{task['content']}\n\n{question['content']}"}, *others]
