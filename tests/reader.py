"""Following a page from top to bottom, as a new user does.

`tests/test_packaging.py` does so quickly, `python -m tests.release.readme` exactly as printed, within the times
that the page says.
"""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.pages import blocks

SAID = re.compile(r"#.*?\b(\d+) (second|minute)s?\b")
"""How a comment in a block says how long it takes, on an ordinary computer that does nothing else."""

A_MOMENT = 5.0
"""Seconds that need not be said."""

SLOWER = 3.0
"""How much longer it may take: computers differ, and those of CI run other tests at the same time."""


class Step(NamedTuple):
    """A block of Python, or a command of a block of bash."""

    kind: str
    content: str
    line: int
    """Of the page, counted from 1."""

    @property
    def said(self) -> float:
        """The seconds that the page says it takes."""
        times = [int(number) * (60 if unit == "minute" else 1) for number, unit in SAID.findall(self.content)]
        return sum(times) or A_MOMENT

    @property
    def title(self) -> str:
        """The command, or the first line of the Python."""
        return self.content.splitlines()[0].partition("#")[0].strip()

    @property
    def installs(self) -> list[str] | None:
        """The extras of polytrix that this command installs; None if it installs nothing.

        >>> Step("bash", "pip install '.[cli,table]'  # for the terminal", 1).installs
        ['cli', 'table']
        """
        if self.kind != "bash" or not self.content.startswith("pip install "):
            return None
        *_, what = shlex.split(self.content, comments=True)
        found = re.fullmatch(r"(?:polytrix|\.)(?:\[(.+)\])?", what)
        assert found, f"{self.content!r} does not install polytrix"
        return found[1].split(",") if found[1] else []


def steps(page: Path) -> Iterator[Step]:
    """The steps of a page in their order."""
    for block in blocks(page):
        if block.kind == "python" and not block.excerpt_of:
            yield Step("python", block.content, block.line)
        elif block.kind == "bash":
            for number, line in enumerate(block.content.splitlines()):
                if line:
                    yield Step("bash", line, block.line + number)


def seconds_of(act: Callable[[], object]) -> float:
    """How long it takes on an otherwise idle computer: the lesser of the clock's time and of the processor's.

    Other work on the computer stretches the former, several threads the latter.
    """
    clock, before = time.monotonic(), os.times()
    act()
    after = os.times()
    waited = time.monotonic() - clock
    worked = after.children_user + after.children_system - before.children_user - before.children_system
    return min(waited, worked) if worked else waited  # Windows does not count it
