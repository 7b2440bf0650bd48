"""What a program is told in one seat of one game, and what its answers mean."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from polytrix.core.calls import shown
from polytrix.core.errors import GameOverError
from polytrix.core.pages import notation_text
from polytrix.core.words import Move, moves, parse_move, seat_text
from polytrix.play.log import Log
from polytrix.play.session import Session

from ..answers import AnswerError
from ..prompts import Message

VERSION = 1
"""Of the protocol. It grows when a program of today would no longer understand what it is told."""


def as_line(kind: str, **content: Any) -> str:
    """A message as a line of JSON, without its end."""
    return json.dumps({"type": kind, **content}, separators=(",", ":"))


class Talk:
    """The messages for the program in one seat of one game, in the place of a model's `Conversation`.

    Args:
        session: the game.
        log: of this game.
        seat: where the program sits.

    Attributes:
        task: the first message, `hello`.
    """

    def __init__(self, session: Session, log: Log, seat: int) -> None:
        self.seat = seat
        self._session, self._log = session, log
        self._told = 0  # number of decisions of the game that the program knows of
        self._asked: list[Message] = []
        self._legal: list[Move] = []
        game = session.game
        self.task = as_line(
            "hello",
            protocol=VERSION,
            game=game.name,
            id=game.id,
            options=session.options,
            data=dict(game.replaced),
            seat=seat,
            seats=list(session.seats),
            notation=notation_text(game).strip(),
            opening=list(log.opening(seat)),
        )

    def question(self) -> str:
        """The message that asks for the present decision, `choose`.

        Raises:
            GameOverError: another seat is to move, or none.
        """
        session = self._session
        if session.over or int(session.state.mover) != self.seat:
            raise GameOverError(f"seat {self.seat} is not to move")
        if not self._asked:
            self._legal = moves(session.game, session.state, session.legal())
            legal = [{"id": move.id, "move": move.notation, "words": move.words} for move in self._legal]
            lines = self._news(observation=session.observe().tolist()), as_line("choose", legal=legal)
            self._asked = [{"role": "user", "content": line} for line in lines]
        return self._asked[-1]["content"]

    def messages(self) -> list[Message]:
        """`hello`, then what has happened since the last decision, `observe`, then `choose`.

        Raises:
            GameOverError: another seat is to move, or none.
        """
        self.question()
        return [{"role": "system", "content": self.task}, *self._asked]

    def read(self, answer: str, cut: bool = False) -> tuple[int, bool]:
        """The legal action that an answer names, and False: no other form than `{"move": ...}` is read.

        Raises:
            AnswerError, NotationError: it names none.
            GameOverError: another seat is to move, or none.
        """
        self.question()
        try:
            move = json.loads(answer)["move"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise AnswerError(
                f'the answer is {shown(answer)}; allowed: {{"move": "..."}} in one line'
            ) from None
        if isinstance(move, bool) or not isinstance(move, (str, int)):
            raise AnswerError(f"the move is {shown(move)}; allowed: its notation, or its number")
        return parse_move(self._session.game, self._session.state, str(move), self._legal), False

    def decided(self, answer: str | None) -> None:
        """To be called before the decision is played."""
        self.question()
        self._asked, self._told = [], len(self._session.actions)

    def farewell(self, payoffs: Sequence[float], forfeited: int | None = None) -> list[str]:
        """The last messages: what has happened since the last decision, and `over`."""
        return [self._news(), as_line("over", payoffs=list(payoffs), forfeited=forfeited)]

    def _news(self, **more: Any) -> str:
        session = self._session
        log = [asdict(entry) for entry in self._log.entries(self.seat, self._told)]
        position = seat_text(session.game, session.state, self.seat)
        return as_line("observe", log=log, position=position, **more)
