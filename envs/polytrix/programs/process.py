"""A running program: messages go in and answers come out, in bounded time and memory."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Event
from time import monotonic
from typing import Any

from polytrix.core.calls import shown
from polytrix.core.errors import ClosedError, ForfeitError, PolicyError

LONGEST = 100_000
"""Number of bytes that a line of a program may have."""
KEPT = 4_000
"""Number of bytes of standard error that are kept between two answers: the last ones."""
CHUNK = 1 << 16
GRACE = 1.0
"""Seconds in which a program may end by itself when its input ends."""
GLANCE = 0.05
"""Seconds after which a wait for an answer looks what else there is to do."""


class Process:
    """A program in a process group of its own: Ctrl-C is not for it, and its children end with it.

    It is read only while it is asked. Until then, what it says stays in the system's pipes, which are bounded.
    Once `stop` is set, nothing is waited for.
    """

    def __init__(self, command: Sequence[str], stop: Event) -> None:
        if os.name != "posix":
            raise PolicyError("programs play on Linux and macOS only, where processes have groups")
        try:
            self._run = Popen(command, bufsize=0, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True)
        except OSError as error:
            raise PolicyError(f"{command[0]} cannot be started: {error}") from None
        assert self._run.stdin and self._run.stdout and self._run.stderr
        self._input, self._output, self._error = self._run.stdin, self._run.stdout, self._run.stderr
        os.set_blocking(self._input.fileno(), False)
        self._ready, self._stop = DefaultSelector(), stop
        self._ready.register(self._output, EVENT_READ, self._read)
        self._ready.register(self._error, EVENT_READ, self._read_error)
        self._unsent = self._said = self._complaints = b""

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message that needs no answer. What does not fit into the pipe goes with the next one."""
        self._unsent += json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self._write()

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The object that answers a message.

        Raises:
            ForfeitError: there is none after so many seconds, or it is something else.
            ClosedError: all is to stop.
        """
        if not self._said:
            self._listen(0)
        if self._said:
            raise ForfeitError("the program has said more than it was asked for")
        self.tell(message)
        deadline = monotonic() + seconds
        while b"\n" not in self._said:
            if len(self._said) > LONGEST:
                raise ForfeitError(f"the program has begun a line of more than {LONGEST} bytes")
            if self._stop.is_set():
                raise ClosedError("the game has been stopped")
            if monotonic() > deadline:
                raise ForfeitError("the program has not answered in time")
            self._listen(GLANCE)
            self._write()
        line, _, self._said = self._said.partition(b"\n")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ForfeitError(
                f"the answer is {shown(line.decode(errors='replace'))}; allowed: a JSON object in a line"
            )
        return answer

    def complaints(self) -> str:
        """The end of what the program has written to standard error since the last call."""
        complaints, self._complaints = self._complaints, b""
        return complaints.decode(errors="replace")

    def end(self, grace: float = GRACE) -> None:
        """Close the program's input, wait a moment, end it with its children, and free all that it holds."""
        self._input.close()
        with suppress(TimeoutExpired):
            self._run.wait(grace)
        with suppress(ProcessLookupError, PermissionError):  # macOS: a group of none but zombies
            os.killpg(self._run.pid, signal.SIGKILL)
        self._run.wait()
        if self._error in {key.fileobj for key, _ in self._ready.select(0)}:
            self._read_error()  # the last words of a program that has crashed
        self._ready.close()
        self._output.close()
        self._error.close()

    def _write(self) -> None:
        try:
            while self._unsent and (sent := self._input.write(self._unsent)):
                self._unsent = self._unsent[sent:]
        except BrokenPipeError:  # it has closed its input; what it says, or its end, tells more
            self._unsent = b""

    def _listen(self, seconds: float) -> None:
        """Read what there is to read, or what comes first in so many seconds."""
        for key, _ in self._ready.select(seconds):
            key.data()

    def _read(self) -> None:
        read = self._output.read(LONGEST + 1 - len(self._said))
        if not read:
            raise ForfeitError("the program has ended")
        self._said += read

    def _read_error(self) -> None:
        read = self._error.read(CHUNK)
        self._complaints = (self._complaints + read)[-KEPT:]
        if not read:
            self._ready.unregister(self._error)
