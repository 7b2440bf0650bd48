"""What pages send: parsed and checked, so that nothing else goes further."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from typing import Any, TypeAlias, get_args

from polytrix.core.calls import shown
from polytrix.core.errors import PolytrixError

LONGEST_MESSAGE = 4096
"""Bytes."""

LONGEST_TEXT = 200
MOST = 1 << 53
"""Numbers of pages are below this."""


class MessageError(PolytrixError):
    """What a page has sent is not a message."""


@dataclass(frozen=True)
class Join:
    """Sit down, first of all: with the secret of a link, and the version that the page shows, or -1."""

    token: str
    seen: int


@dataclass(frozen=True)
class Asking:
    """Something that is possible in the position of this version only."""

    version: int


@dataclass(frozen=True)
class Move(Asking):
    """Make a decision."""

    action: int


@dataclass(frozen=True)
class Say(Asking):
    """Make a decision that is typed."""

    text: str


class TakeBack(Asking):
    """Take back one's last decision."""


class Resign(Asking):
    """Give up."""


class Begin(Asking):
    """Begin the next game."""


@dataclass(frozen=True)
class Hint(Asking):
    """Ask what an agent would do."""

    agent: str


@dataclass(frozen=True)
class Pace:
    """Where only agents play: how long they wait before each move; -1 lets them pause."""

    milliseconds: int


@dataclass(frozen=True)
class Log:
    """Ask for all decisions."""


@dataclass(frozen=True)
class Record:
    """Ask for the transcript, once the game is over."""


Message: TypeAlias = Join | Move | Say | TakeBack | Resign | Begin | Hint | Pace | Log | Record

KINDS: dict[str, type[Message]] = {
    re.sub("(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in get_args(Message)
}
"""By what pages call them: `take_back` is `TakeBack`."""


def read(text: str) -> Message:
    """The message in a JSON text.

    Raises:
        MessageError: it is none.

    >>> read('{"type": "move", "version": 3, "action": 7}')
    Move(version=3, action=7)
    """
    if len(text) > LONGEST_MESSAGE:
        raise MessageError(f"a message has {len(text)} characters; allowed: {LONGEST_MESSAGE}")
    content = parse(text)
    kind = content.get("type") if isinstance(content, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise MessageError(f"{shown(text)} is not a message; allowed types: {', '.join(KINDS)}")
    wanted = {field.name: field.type for field in fields(KINDS[kind])}
    given = {name: value for name, value in content.items() if name != "type"}
    if given.keys() != wanted.keys():
        raise MessageError(f"a message {kind!r} has the fields {', '.join(wanted) or '(none)'}")
    for name, value in given.items():
        _check(name, value, text=wanted[name] == "str")
    return KINDS[kind](**given)


def parse(sent: str | bytes) -> Any:
    """The JSON in a text from anyone.

    Raises:
        MessageError: it is none, or holds half of a surrogate pair, which can be neither kept nor sent.
    """
    try:
        content = json.loads(sent)
        json.dumps(content, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise MessageError(f"{shown(sent)} is not JSON") from None
    return content


def _check(name: str, value: object, text: bool) -> None:
    if text:
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
            raise MessageError(
                f"{name} is {shown(value)}; allowed: a text of at most {LONGEST_TEXT} characters"
            )
    elif type(value) is not int or not -1 <= value < MOST:
        raise MessageError(f"{name} is {shown(value)}; allowed: a whole number from -1")
