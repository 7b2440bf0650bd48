"""Scripts of worked positions: blocks of lines, each with a name and the clauses that it is about.

W07 what the block shows (PM-14, PM-18)
lines in the language of the game, see its `positions.py`

Blocks about an effect of a card of Pixel Tactics have its name, such as `KNI-V`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Block = tuple[str, tuple[str, ...], list[str]]
"""Name, clause ids and lines."""


def blocks(script: Path, comment: str = "") -> Iterator[Block]:
    """Each block of a file; what stands before the first one is for people.

    Args:
        script: the file.
        comment: what begins a comment in its lines; none by default.
    """
    content = script.read_text(encoding="utf-8")
    for text in re.split(r"(?:\A|\n\n)(?=[A-Z]\d\d[a-z]? |[A-Z]{3}-[VFROL] )", content)[1:]:
        title, *lines = text.splitlines()
        clauses = title[title.rindex("(") + 1 : title.rindex(")")].split(", ")
        if comment:
            lines = [line.partition(comment)[0].strip() for line in lines]
        yield title.split()[0], tuple(clauses), [line for line in lines if line]


@contextmanager
def reported(line: str, position: Callable[[], str]) -> Iterator[None]:
    """Make a failure say at which line of a script it was, and how the game stands."""
    try:
        yield
    except Exception as error:
        raise AssertionError(f"{line}\n{position()}\n{error}") from error
