"""The command line, run in this process on what a stranger has made."""

from __future__ import annotations

from dataclasses import dataclass

from typer.testing import CliRunner

from polytrix.cli.app import app
from polytrix.core.terminal import CONTROL

ESCAPES = (
    "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\x1b]52;c;cm0=\x07", "\x9b31m", "\x90q\x9c", "\b\b\b", "\x7f", "\x00",
    "\x1b]8;;http://evil.example\x1b\\here", "\ud800", "\u202e", "\u2028", "[bold red]", "[/]", "{0}", "%s",
)  # fmt: skip
"""What a terminal obeys, or a printer might."""


@dataclass(frozen=True)
class Said:
    """What a command has printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def refused(self) -> bool:
        """Whether it has failed with a message."""
        return self.code != 0


def said_by(*arguments: object) -> Said:
    """Run `polytrix` with these arguments.

    Raises:
        AssertionError: it ends with a traceback, with a code of its own, with an error and no message, or it
            prints control characters.
    """
    result = CliRunner().invoke(app, [str(each) for each in arguments], color=True)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise AssertionError(f"polytrix {arguments[0]} raised {result.exception!r:.300}") from result.exception
    said = Said(result.exit_code, result.stdout, result.stderr)
    check_visible(said.out)
    check_visible(said.err)
    assert said.code in (0, 2), f"polytrix {arguments[0]} ends with code {said.code}: {said.err[-300:]!r}"
    assert not said.refused or said.err.strip(), f"polytrix {arguments[0]} fails without a word"
    return said


def check_visible(text: str) -> None:
    """Assert that a terminal obeys nothing in a text."""
    if found := CONTROL.search(text):
        at = found.start()
        raise AssertionError(f"control characters are printed: {text[max(0, at - 60) : at + 20]!r}")
