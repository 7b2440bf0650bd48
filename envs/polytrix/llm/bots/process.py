"""A running program: lines go in and come out, in bounded time and memory."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress

from polytrix.core.errors import PolicyError

LONGEST = 100_000
"""Number of bytes that a line of a program may have."""
KEPT = 4_000
"""Number of bytes of standard error that are kept between two answers: the last ones."""
CHUNK = 1 << 16
GRACE = 1.0
"""Seconds in which a program may end by itself when its input ends."""


class Failed(Exception):  # noqa: N818  # of the program, which forfeits a game; no error of ours
    """The program has given no answer; the text says why, in words that follow its name."""


class Process:
    """A program that runs in a process group of its own: Ctrl-C is not for it, and its children end with it.

    One thread reads and writes, and only while it waits for an answer. Until then, whatever else the program
    says stays in the system's pipes, whose size is bounded.

    Args:
        command: the program and its arguments.
        clock: seconds that only grow.

    Raises:
        Failed: it cannot be started.
    """

    def __init__(self, command: Sequence[str], clock: Callable[[], float]) -> None:
        if os.name != "posix":
            raise PolicyError("programs play on Linux and macOS only, where processes have groups")
        try:
            self._run = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise Failed(f"cannot be started: {error}") from None
        assert self._run.stdin and self._run.stdout and self._run.stderr
        self._stdin, self._stdout, self._stderr = self._run.stdin, self._run.stdout, self._run.stderr
        self._clock = clock
        self._to_say = self._said = self._errors = b""
        self._events = selectors.DefaultSelector()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._stdout, self._stderr):
            self._events.register(pipe, selectors.EVENT_READ)

    @property
    def pid(self) -> int:
        """The number of the process, and of its group."""
        return self._run.pid

    def tell(self, lines: Sequence[str]) -> None:
        """Send lines that need no answer. What does not fit into the pipe goes with the next question."""
        self._to_say += "".join(f"{line}\n" for line in lines).encode()
        self._write()

    def ask(self, limit: float) -> str:
        """The next line of the program.

        Args:
            limit: seconds until it must be there.

        Raises:
            Failed: there is none.
        """
        if self._said:
            raise Failed("has said more than it was asked for")
        deadline = self._clock() + limit
        while b"\n" not in self._said:
            if len(self._said) > LONGEST:
                raise Failed(f"has begun a line of more than {LONGEST} bytes")
            ready = self._wait(deadline - self._clock())
            if self._stderr in ready:
                self._read_errors()
            if self._stdout in ready:
                read = os.read(self._stdout.fileno(), CHUNK)
                if not read:
                    raise Failed("has ended")
                self._said += read
            if b"\n" not in self._said and self._clock() >= deadline:
                raise Failed("has not answered in time")
        line, _, self._said = self._said.partition(b"\n")
        return line.decode(errors="replace")

    def errors(self) -> str:
        """The end of what the program has written to standard error since the last call."""
        errors, self._errors = self._errors, b""
        return errors.decode(errors="replace")

    def end(self, grace: float = GRACE) -> None:
        """Close the program's input, wait a moment, end it and its children, and free all that it holds."""
        with suppress(OSError):
            self._stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._run.wait(grace)
        self.kill()
        self._run.wait()
        self._read_errors()  # the last words of a program that has crashed
        self._events.close()
        self._stdout.close()
        self._stderr.close()

    def kill(self) -> None:
        """End the program and its children, from any thread; whoever waits for it sees it end."""
        with suppress(ProcessLookupError, PermissionError):  # macOS: a group of none but zombies
            os.killpg(self.pid, signal.SIGKILL)

    def _wait(self, seconds: float) -> list[object]:
        """The pipes that have something to be read, after at most so long; writes what can be written."""
        self._write()
        waiting = self._stdin in {key.fileobj for key in self._events.get_map().values()}
        if bool(self._to_say) != waiting:
            if waiting:
                self._events.unregister(self._stdin)
            else:
                self._events.register(self._stdin, selectors.EVENT_WRITE)
        return [key.fileobj for key, _ in self._events.select(max(0.0, seconds))]

    def _write(self) -> None:
        try:
            while self._to_say:
                self._to_say = self._to_say[os.write(self._stdin.fileno(), self._to_say[:CHUNK]) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # it has closed its input; what it says, or its end, tells more
            self._to_say = b""

    def _read_errors(self) -> None:
        """Read what is there now, a pipe full at most; the end of the stream is waited for no more."""
        with suppress(BlockingIOError):
            read = os.read(self._stderr.fileno(), CHUNK)
            self._errors = (self._errors + read)[-KEPT:]
            if not read and self._stderr in {key.fileobj for key in self._events.get_map().values()}:
                self._events.unregister(self._stderr)
