"""A progress line for long runs."""

from __future__ import annotations

import sys
import time


class Progress:
    """A progress line on standard error, updated at most twice a second.

    Args:
        name: name of the run.
        goal: amount of work.
        unit: unit of `goal`.
    """

    def __init__(self, name: str, goal: int, unit: str) -> None:
        self.name, self.goal, self.unit = name, goal, unit
        self.start, self.shown = time.monotonic(), 0.0

    def show(self, done: int, rate: str = "") -> None:
        """Write the line, unless it was written within the last half second.

        Args:
            done: amount of work done.
            rate: the speed as text; units per second by default.
        """
        now = time.monotonic()
        if now - self.shown < 0.5:
            return
        self.shown = now
        seconds = now - self.start
        left = f", {seconds * max(0, self.goal - done) / done:.0f} s left" if done else ""
        speed = rate or f"{done / max(1e-9, seconds):,.0f} {self.unit}/s"
        line = f"{self.name}: {done:,} of {self.goal:,} {self.unit}, {speed}{left}"
        sys.stderr.write(f"\r{line:<100}")
        sys.stderr.flush()
