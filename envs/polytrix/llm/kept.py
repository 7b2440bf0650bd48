"""The answers of a game that goes on, in a file.

An answer is written as soon as it is there, so after a kill nothing is asked, and paid, twice.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from polytrix.core.errors import PolytrixError
from polytrix.core.files import whole_file

from .models import Reply
from .prompts import Message


class KeptError(PolytrixError, ValueError):
    """A file of an evaluation is damaged."""


@dataclass(frozen=True)
class Asked:
    """An answer of a model, and to what.

    Attributes:
        number: of the decision in the game.
        seat: that was to move.
        chat: hash of the messages.
        reply: the answer, and what it took.
    """

    number: int
    seat: int
    chat: str
    reply: Reply


def hash_of(messages: Sequence[Message]) -> str:
    """A short hash of a chat."""
    return hashlib.sha256(json.dumps(list(messages)).encode()).hexdigest()[:16]


class KeptAnswers:
    """The answers of a game that goes on, in the order in which they came.

    Args:
        path: the file that has them; None: they are kept in memory only.

    Raises:
        KeptError: the file is damaged.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._answers: list[Asked] = []
        self._used = 0
        if path is not None and path.exists():
            whole = path.read_bytes().rpartition(b"\n")[0]  # a killed process may have begun a line
            self._answers = [_read(path, line) for line in whole.splitlines()]
            self._rewrite()

    def find(self, number: int, seat: int, messages: Sequence[Message]) -> Reply | None:
        """The next answer, if it is to these messages. Otherwise it and those after it are dropped."""
        following = self._answers[self._used :]
        if not following:
            return None
        if (following[0].number, following[0].seat, following[0].chat) != (number, seat, hash_of(messages)):
            del self._answers[self._used :]
            self._rewrite()
            return None
        self._used += 1
        return following[0].reply

    def add(self, number: int, seat: int, messages: Sequence[Message], reply: Reply) -> None:
        """Keep a new answer."""
        asked = Asked(number, seat, hash_of(messages), reply)
        self._answers.append(asked)
        self._used += 1
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(_line(asked))
                file.flush()
                os.fsync(file.fileno())

    def drop(self) -> None:
        """Remove the file: the game is over and has a file of its own."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def replies(self) -> dict[int, list[Reply]]:
        """All answers in order, by the number of the decision."""
        found: dict[int, list[Reply]] = {}
        for asked in self._answers:
            found.setdefault(asked.number, []).append(asked.reply)
        return found

    def _rewrite(self) -> None:
        if self.path is not None:
            with whole_file(self.path) as file:
                file.write(b"".join(map(_line, self._answers)))


def _line(asked: Asked) -> bytes:
    return json.dumps(asdict(asked), separators=(",", ":")).encode() + b"\n"


def _read(path: Path, line: bytes) -> Asked:
    try:
        entry = json.loads(line)
        reply = Reply(**entry.pop("reply"))
        return Asked(**entry, reply=reply)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise KeptError(f"{path} is damaged ({error!s:.100}); delete it, and its game begins again") from None
