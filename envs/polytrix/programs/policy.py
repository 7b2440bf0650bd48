"""A program as a policy: what it is told in a game, by which clock, and what its answers mean."""

from __future__ import annotations

import re
import shlex
import shutil
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from threading import Event
from time import monotonic
from typing import Any

from polytrix.agents.resolve import PROCESS
from polytrix.core.calls import shown
from polytrix.core.errors import ForfeitError, NotationError, PolicyError
from polytrix.core.game import Game
from polytrix.core.pages import notation_text
from polytrix.core.state import ByteArray, IntArray
from polytrix.core.words import Move, listed, parse_move, seat_text
from polytrix.play.log import Log
from polytrix.play.session import Session

from .process import Process

VERSION = 1
"""Of the protocol. It grows when a program of today would no longer understand what it is told."""
CLOCK = {"seconds": 10.0, "bank": 60.0}
"""The clock if none is named: seconds for each move, and seconds in a game for moves that take longer."""
START = 60.0
"""Seconds until a program has answered `hello`; it may load a network."""


class ProgramPolicy:
    """A program, with a process for each seat that it plays at a time. They end when the policy is not used.

    It is told the log of a game, so it plays where there is one: wherever `Session.choose` asks it.

    Args:
        game: the game that it is to play.
        spec: `process:COMMAND`, with `,seconds=S` and `,bank=B` behind it.

    Attributes:
        stop: once it is set, a game that waits for the program raises ClosedError.

    Raises:
        PolicyError: there is no such program, or a setting is not a number of seconds.
    """

    def __init__(self, game: Game, spec: str) -> None:
        self.game, self.name, self.stop = game, spec, Event()
        self._command, self._clock = command_in(spec)
        self._played: tuple[Session, int] | None = None
        self._seats: dict[int, Seat] = {}
        self._free: list[Process] = []
        self._asked: list[dict[str, Any]] = []
        weakref.finalize(self, end_all, self._seats, self._free)

    def __call__(self, observation: ByteArray, mask: ByteArray, rng: object) -> IntArray:
        raise PolicyError(
            f"{self.name} is told the log of a game, which batches do not have; it plays in polytrix arena "
            "(without --sprt), play and watch, in Episode, and in Session.choose"
        )

    def choose_in(self, session: Session) -> int:
        """Its action for the mover.

        Raises:
            ForfeitError: it has named no legal move.
            PolicyError: it cannot be started.
            ClosedError: `stop` is set.
        """
        legal = session.moves()
        if len(legal) == 1:
            return legal[0].id  # as everywhere, it is asked only if it has a choice
        seat, began = self._seat_in(session), monotonic()
        move, why, action, error, malformed = "", "", None, None, False
        try:
            move, why = seat.ask(legal)
            action = parse_move(session.game, session.state, move, legal)
        except (ForfeitError, NotationError) as refused:
            error, malformed = str(refused), isinstance(refused, ForfeitError)
        finally:
            if action is None:  # also if it was interrupted: the next line would answer this question
                del self._seats[seat.number]
                seat.process.end(grace=0)
        complaints = seat.process.complaints()
        reasoning, seconds = f"{why}\n{complaints}".strip(), monotonic() - began
        answer = {"text": move, "reasoning": reasoning, "seconds": seconds, "error": error}
        self._asked.append({
            "number": len(session.actions), "seat": seat.number, "question": listed(legal), "answers": [answer],
            "malformed": int(malformed), "action": action, "loose": False,
        })  # fmt: skip
        if action is None:
            said = f"; its standard error ends: {complaints.strip()[-500:]}" if complaints else ""
            raise ForfeitError(f"{self.name} forfeits the game: {error}{said}")
        return action

    def finish(self, payoffs: list[float] | None = None, forfeited: int | None = None) -> list[dict[str, Any]]:
        """Let the program leave its game; if that is over, it is told how it has ended.

        Args:
            payoffs: of a game that has ended with a forfeit.
            forfeited: the seat that has forfeited it.

        Returns:
            What the program was asked and has said, as in the game's file.
        """
        for seat in self._seats.values():
            seat.leave(payoffs, forfeited)
            self._free.append(seat.process)
        self._seats.clear()
        asked, self._asked, self._played = self._asked, [], None
        return asked

    def _seat_in(self, session: Session) -> Seat:
        """The mover's seat."""
        if self._played != (session, session.taken_back):  # another game, or decisions were taken back
            self.finish()
            self._played = session, session.taken_back
        number = int(session.state.mover)
        if number not in self._seats:
            process = self._free.pop() if self._free else Process(self._command, self.stop)
            self._seats[number] = Seat(process, session, number, self._clock)
        return self._seats[number]


def end_all(seats: Mapping[int, Seat], free: Sequence[Process]) -> None:
    """End the processes of a policy."""
    for seat in seats.values():
        seat.leave()
    for process in [*free, *(seat.process for seat in seats.values())]:
        process.end()


def command_in(spec: str) -> tuple[list[str], dict[str, float]]:
    """The command of a spec, and the clock behind it.

    >>> command_in("process:sh bot.sh --weights 1,2,seconds=2")
    (['sh', 'bot.sh', '--weights', '1,2'], {'seconds': 2.0, 'bank': 60.0})
    """
    command, *given = re.split(r",(seconds|bank)=", spec.removeprefix(PROCESS))
    settings = zip(given[::2], given[1::2], strict=True)
    clock = CLOCK | {name: seconds_in(spec, name, text) for name, text in settings}
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PolicyError(f"{spec!r}: the command cannot be read: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise PolicyError(f"{spec!r}: there is no program {command!r}; write process:COMMAND, as in a shell")
    return words, clock


def seconds_in(spec: str, name: str, text: str) -> float:
    """The number of seconds of a setting."""
    try:
        if 0 <= (seconds := float(text)) <= 1e6:
            return seconds
    except ValueError:
        pass
    raise PolicyError(f"{spec!r}: {name} is {text!r}; allowed: a number of seconds from 0 to 1e6")


class Seat:
    """A process in one seat of one game: what it is told there, its clock and its bank."""

    def __init__(self, process: Process, session: Session, number: int, clock: Mapping[str, float]) -> None:
        self.process = process
        self.number, self._session, self._log, self._clock = number, session, Log(session), dict(clock)
        self._told = 0  # number of decisions of the game that the program knows of
        self._array: bool | None = None  # whether it wants arrays; None: it has not been greeted

    def ask(self, legal: Sequence[Move]) -> tuple[str, str]:
        """The move in the answer to `choose`, and why."""
        if self._array is None:
            self._array = self._greet()
        self._observe()
        told = [{"id": move.id, "move": move.notation, "words": move.words} for move in legal]
        choose = {"type": "choose", "legal": told, "clock": self._clock}
        limit, began = self._clock["seconds"] + self._clock["bank"], monotonic()
        answer = self.process.ask(choose, limit)
        left = max(0.0, limit - (monotonic() - began))
        self._clock["bank"] = round(min(self._clock["bank"], left), 3)
        move = answer.get("move")
        if isinstance(move, bool) or not isinstance(move, (str, int)):
            raise ForfeitError(f"the move is {shown(move)}; allowed: its notation, or its number")
        # No file can hold halves of surrogate pairs, which JSON can escape.
        move, why = (str(each).encode(errors="replace").decode() for each in (move, answer.get("why", "")))
        return move, why

    def leave(self, payoffs: list[float] | None = None, forfeited: int | None = None) -> None:
        """Tell how the game has ended, if it has."""
        if payoffs is None and self._session.over:
            payoffs = self._session.payoff()
        if payoffs is not None:
            self._observe()
            self.process.tell({"type": "over", "payoffs": payoffs, "forfeited": forfeited})

    def _greet(self) -> bool:
        """Begin the game; whether the program wants arrays."""
        game, number = self._session.game, self.number
        hello = {
            "type": "hello",
            "protocol": VERSION,
            "game": game.name,
            "id": game.id,
            "options": self._session.options,
            "data": dict(game.replaced),
            "seat": number,
            "seats": list(self._session.seats),
            "notation": notation_text(game).strip(),
            "opening": list(self._session.opening_for(number)),
            "clock": self._clock,
        }
        answer = self.process.ask(hello, START)
        if answer.get("protocol", VERSION) != VERSION:
            raise ForfeitError(f"the program speaks protocol {shown(answer['protocol'])}; allowed: {VERSION}")
        return bool(answer.get("observation"))

    def _observe(self) -> None:
        """Tell what has happened since the last time."""
        session, number = self._session, self.number
        log = [
            {
                **asdict(entry),
                "chance": session.turn(told, number).chance,
                "words": [*entry.words, *(entry.chance if session.game.tell else [])],
            }
            for told, entry in enumerate(self._log.entries(number, self._told), start=self._told)
        ]
        self._told = len(session.actions)
        observe = {"type": "observe", "log": log, "position": seat_text(session.game, session.state, number)}
        if self._array and session.state.mover == number:
            observe["observation"] = session.observe().tolist()
        self.process.tell(observe)
