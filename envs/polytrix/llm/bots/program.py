"""A command that plays: `process:./bot --flag,seconds=2,bank=60`."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from polytrix.agents.resolve import PROCESS
from polytrix.core.errors import ClosedError, PolicyError

from ..models import Reply
from ..prompts import Message
from .process import Failed, Process
from .protocol import VERSION

SETTINGS = {"seconds": 10.0, "bank": 60.0}
"""The clock if none is named: seconds for each move, and seconds in a game for moves that take longer."""
START = 60.0
"""Seconds until a program has answered `hello`; it may load a network."""
SETTING = re.compile(rf"(.*),({'|'.join(SETTINGS)})=([^,]*)", re.DOTALL)


def split_settings(spec: str) -> tuple[str, dict[str, float]]:
    """The command of a spec, and the settings behind it.

    >>> split_settings("process:./bot --weights 1,2,seconds=2")
    ('./bot --weights 1,2', {'seconds': 2.0, 'bank': 60.0})

    Raises:
        PolicyError: a setting is no number above 0 (`bank` may be 0).
    """
    command, given = spec.removeprefix(PROCESS), dict[str, str]()
    while found := SETTING.fullmatch(command):
        command = found[1]
        given.setdefault(found[2], found[3])
    values = SETTINGS | {name: seconds_in(spec, name, text) for name, text in given.items()}
    return command, values


def seconds_in(spec: str, name: str, text: str) -> float:
    """The number of seconds of a setting."""
    try:
        seconds = float(text)
        if not 0 <= seconds <= 1e6 or (name == "seconds" and seconds == 0):
            raise ValueError
    except ValueError:
        raise PolicyError(f"{spec!r}: {name} is {text!r}; allowed: a number of seconds up to 1e6") from None
    return seconds


class Program:
    """A command whose processes play one game after another; several at once, if several games ask for one.

    Args:
        spec: `process:COMMAND`, with `,seconds=S` and `,bank=B` behind it.
        clock: seconds that only grow.

    Attributes:
        name: for tables.
        closed: whether its processes have been ended; False lets it play again.

    Raises:
        PolicyError: there is no such command.
    """

    def __init__(self, spec: str, clock: Callable[[], float] = time.monotonic) -> None:
        command, settings = split_settings(spec)
        self.name, self.clock = spec, clock
        self.seconds, self.bank = settings["seconds"], settings["bank"]
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise PolicyError(f"{spec!r}: the command cannot be read: {error}") from None
        if not self._command or shutil.which(self._command[0]) is None:
            raise PolicyError(
                f"{spec!r}: there is no program {command!r}; write process:COMMAND, as in a shell"
            )
        self._lock, self.closed = threading.Lock(), False
        self._free: list[Process] = []
        self._used: set[Process] = set()

    @property
    def mark(self) -> str:
        """The command and its clock; nobody can tell what else its answers depend on."""
        return f"{self.name} protocol={VERSION}"

    def take(self) -> Process:
        """A process that plays no game: one that has played, or a new one.

        Raises:
            Failed: it cannot be started.
            ClosedError: after `close`.
        """
        with self._lock:
            if self.closed:
                raise ClosedError(f"{self.name} has been ended")
            process = self._free.pop() if self._free else Process(self._command, self.clock)
            self._used.add(process)
            return process

    def give_back(self, process: Process, reusable: bool) -> None:
        """The game of a process is over."""
        with self._lock:
            self._used.discard(process)
            if reusable and not self.closed:
                self._free.append(process)
                return
        process.end(grace=0.0)

    def close(self) -> None:
        """End all processes. Games that are being played raise ClosedError."""
        with self._lock:
            self.closed = True
            free, self._free = self._free, []
            for process in self._used:
                process.kill()  # the thread that waits for it frees the rest
        for process in free:
            process.end()


class Sitting:
    """A program in one seat of one game, which may be asked like a model.

    It never raises because of what the program does: a reply in brackets says what has happened.
    """

    def __init__(self, program: Program) -> None:
        self._program, self._bank = program, program.bank
        self._process: Process | None = None
        self._missed: list[str] = []  # what the process has not been told, as it was not asked then
        self._healthy, self._wants_arrays = True, False

    def __call__(self, messages: Sequence[Message]) -> Reply:
        """The reply to the messages of a `Talk`.

        Raises:
            ClosedError: the program has been ended, by us.
        """
        program, began = self._program, self._program.clock()
        try:
            text = self._answer([each["content"] for each in messages])
        except Failed as failed:
            self._healthy, text = False, f"(the program {failed})"
        seconds, process = max(0.0, program.clock() - began), self._process
        if not self._healthy:
            self.leave()
        if program.closed:
            raise ClosedError(f"{program.name} has been ended")
        self._missed = []
        return Reply(text, reasoning="" if process is None else process.errors(), seconds=seconds)

    def missed(self, messages: Sequence[Message]) -> None:
        """The answer to these messages is known from before; what they tell goes with the next question."""
        self._missed += [each["content"] for each in messages[1:-1]]

    def leave(self, farewell: Sequence[str] = ()) -> None:
        """The game is over, or goes on without the program."""
        if self._process is not None:
            if farewell and self._healthy:
                self._process.tell(self._trimmed(farewell))
            self._program.give_back(self._process, self._healthy)
            self._process = None

    def _answer(self, lines: Sequence[str]) -> str:
        program = self._program
        hello, *news, choose = lines
        clock = {"seconds": program.seconds, "bank": program.bank}
        if self._process is None:
            self._process = program.take()
            self._process.tell([with_content(hello, clock=clock)])
            self._wants_arrays = wants_arrays(self._process.ask(START))
        clock["bank"] = round(self._bank, 3)
        news = self._trimmed([*self._missed, *news])
        self._process.tell([*news, with_content(choose, clock=clock)])
        began = program.clock()
        answer = self._process.ask(program.seconds + self._bank)
        self._bank -= max(0.0, program.clock() - began - program.seconds)
        return answer

    def _trimmed(self, lines: Sequence[str]) -> list[str]:
        """Messages without the arrays, if the program does not want them."""
        return [line if self._wants_arrays else with_content(line, observation=None) for line in lines]


def with_content(line: str, **content: Any) -> str:
    """A message with more in it; None takes out what it had."""
    message = json.loads(line) | content
    return json.dumps(
        {k: v for k, v in message.items() if k not in content or v is not None}, separators=(",", ":")
    )


def wants_arrays(answer: str) -> bool:
    """Whether an answer to `hello` asks for observations.

    Raises:
        Failed: it is none.
    """
    try:
        told = json.loads(answer)
        if isinstance(told, dict) and told.get("protocol", VERSION) == VERSION:
            return bool(told.get("observation", False))
    except (ValueError, RecursionError):
        pass
    raise Failed(
        f"has answered hello with {answer[:100]!r}; allowed: {{}}, see docs/bots.md, protocol {VERSION}"
    )
