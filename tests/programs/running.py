"""Small programs for tests, which begin in a few milliseconds, and a pipe without a program."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polytrix.play.session import Session
from polytrix.programs.policy import CLOCK, Seat
from polytrix.programs.process import Process

HEAD = """\
import json, os, signal, sys
def say(**message):
    print(json.dumps(message), flush=True)
def first(message):
    say(move=message["legal"][0]["move"])
wanted = {}
seen = {}
for line in sys.stdin:
    with open(__file__ + ".told", "a") as told:
        told.write(line)
    message = json.loads(line)
    if message["type"] == "hello":
        say(**wanted)
    elif message["type"] == "observe":
        seen = message
    elif message["type"] == "choose":
"""


def program(folder: Path, choose: str, clock: str = "", name: str = "bot.py") -> str:
    """The spec of a program that answers `choose` by these lines of Python."""
    file = folder / name
    file.write_text(HEAD + "".join(f"        {line}\n" for line in choose.splitlines()))
    return f"process:{shlex.join([sys.executable, '-I', '-S', str(file)])}{clock}"


def told(folder: Path, name: str = "bot.py") -> list[dict[str, Any]]:
    """The messages that such a program has read."""
    return [json.loads(line) for line in (folder / f"{name}.told").read_text().splitlines()]


class Pipe(Process):
    """A pipe in which all that is sent stays; what would read it wants arrays."""

    def __init__(self) -> None:
        self._unsent = b""

    def ask(self, message: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        self.tell(message)
        return {"observation": True, "move": 0}

    def _write(self) -> None:
        pass

    @property
    def lines(self) -> list[str]:
        """What was sent."""
        return self._unsent.decode().splitlines()


def greeted(session: Session, number: int, pipe: Pipe) -> Seat:
    """A seat that has been told `hello`."""
    seat = Seat(pipe, session, number, CLOCK)
    seat._array = seat._greet()
    return seat
