"""Tells what is being compiled and how long it takes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from threading import Event, Thread
from time import monotonic
from typing import Any, TextIO

QUIET = 1.5
"""Seconds. Nothing is printed for a program that takes no longer."""

LIVE_INTERVAL = 0.25
LINE_INTERVAL = 10.0
"""Seconds between two reports: on a terminal, which shows the newest one, and in a log."""

TRANSLATION = 0.8
"""How much of the time goes into translating functions, about. The rest goes into optimising them."""

_current: CompileProgress | None = None
"""The program that is being compiled in this process; Numba compiles one at a time."""


def part_done() -> None:
    """Count one function of the current program."""
    if _current is not None:
        _current.done += 1


class CompileProgress:
    """The report of one program, on standard error.

    Args:
        name: of the program.
        parts: Numba's dispatchers of the functions that the program calls.
    """

    def __init__(self, name: str, parts: Sequence[Any]) -> None:
        self.name = name
        self.done = 0
        self._parts = parts
        self._total = 0
        self._begun = 0.0
        self._ended = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> None:
        """Compiling may begin in this block."""

    def __exit__(self, *error: object) -> None:
        self.end()

    def begin(self) -> None:
        """Compiling begins, since no cache has the program."""
        global _current
        self.end()
        _current = self
        self.done = 0
        self._total = sum(not part.overloads for part in self._parts)
        self._begun = monotonic()
        self._ended.clear()
        self._thread = Thread(target=self._report, name="polytrix compile progress", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Compiling has ended, or failed. Nothing happens if it has not begun."""
        global _current
        thread, self._thread = self._thread, None  # another thread may come to the same end meanwhile
        if thread is not None:
            self._ended.set()
            thread.join()
            _current = None

    def text(self, seconds: float) -> str:
        """What to report after so many seconds.

        >>> progress = CompileProgress("quatrix: step", [])
        >>> progress._total, progress.done = 100, 50
        >>> progress.text(4.0)
        'polytrix: compiling quatrix: step, once on this machine: 40%, about 6 s left'
        """
        share = TRANSLATION * min(self.done / max(self._total, 1), 1.0)
        left = f", about {max(seconds / share - seconds, 1):.0f} s left" if share else ""
        return f"polytrix: compiling {self.name}, once on this machine: {share:.0%}{left}"

    def _report(self) -> None:
        if self._ended.wait(QUIET):
            return
        stream: TextIO | None = sys.stderr
        if stream is None:  # a program without a console
            return
        # Rich and notebooks replace the stream; there each report is a line of its own.
        live = stream.isatty() and stream is sys.__stderr__
        while True:
            text = self.text(monotonic() - self._begun)
            print(f"\r{text}\x1b[K" if live else text, end="" if live else "\n", file=stream, flush=True)
            if self._ended.wait(LIVE_INTERVAL if live else LINE_INTERVAL):
                break
        seconds = monotonic() - self._begun
        done = f"polytrix: compiled {self.name} in {seconds:.0f} s"
        print(f"\r{done}\x1b[K" if live else done, file=stream, flush=True)
