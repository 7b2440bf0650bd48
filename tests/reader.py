"""Following a page from top to bottom, as a new user does.

`tests/test_packaging.py` does so quickly, `python -m tests.release.readme` exactly as printed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.pages import blocks


class Step(NamedTuple):
    """A block of Python, or a command of a block of bash."""

    kind: str
    content: str
    line: int
    """Of the page, counted from 1."""

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
