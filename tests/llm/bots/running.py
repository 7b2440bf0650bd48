"""Small programs for tests, which begin in a few milliseconds."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

HEAD = """\
import json, os, signal, sys
def say(**message):
    print(json.dumps(message), flush=True)
def first(message):
    say(move=message["legal"][0]["move"])
wanted = {}
seen = {}
for line in sys.stdin:
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
