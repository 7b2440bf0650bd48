"""What reaches a terminal: no control characters of others, and nothing where a standard stream is closed."""

from __future__ import annotations

import os
import re
import sys

CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff"  # C0 without tab and line feed, C1, halves of pairs
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"  # what turns the direction of writing, or ends a line
)


def printable(text: str) -> str:
    r"""A text with its control characters as Python writes them: a terminal shows instead of obeys them.

    Lines end as they usually do.

    >>> printable("one\ttwo\r\nthree"), printable("\x1b]0;title\x07")
    ('one\ttwo\nthree', '\\x1b]0;title\\x07')
    """
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text.replace("\r\n", "\n"))


def open_closed_streams() -> None:
    """Let standard streams that the caller has closed be empty.

    Python has None in their places, and the next file that is opened would get their numbers.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
