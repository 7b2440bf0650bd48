"""States as bytes, with a header that detects damage and mismatches.

A snapshot is a one-line JSON header, which has a SHA-256 of the rest, and the raw records.
Every byte of a record belongs to a field (`state.py`), so equal states are equal bytes.

The digest detects damage but does not tell who wrote the bytes. So `read` also checks every number by itself
(`bounds.py`) and marks the games, which are then played by checked programs (`loaded.py`).
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .bounds import check_numbers
from .errors import SnapshotError
from .game import Game
from .state import GENERATOR, RecordArray

_MAGIC = b"polytrix snapshot 1\n"


class Copies(NamedTuple):
    """Copies of games: their states, and the generators of their built-in policies."""

    states: RecordArray
    generators: RecordArray


def dump(game: Game, copies: Copies) -> bytes:
    """Serialise games."""
    header = {
        "game": game.id, "data": game.data_marks, "record": record_mark(game), "count": len(copies.states)
    }  # fmt: skip
    body = copies.states.tobytes() + copies.generators.tobytes()
    digest = hashlib.sha256(body).hexdigest()
    return _MAGIC + json.dumps(header | {"sha256": digest}).encode() + b"\n" + body


def read(game: Game, data: bytes, count: int) -> Copies:
    """The games in a snapshot from anywhere, marked as such.

    Raises:
        SnapshotError: for anything else.
    """
    copies = parse(game, data, count)
    check_numbers(game, copies.states)
    states = copies.states.copy()
    states["loaded"] = 1
    return copies._replace(states=states)


def parse(game: Game, data: bytes, count: int) -> Copies:
    """The games in a snapshot of `game` from this process or another trusted one.

    Raises:
        SnapshotError: for anything that `dump` did not write for this game and version.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise SnapshotError(f"a snapshot is bytes, not {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(_MAGIC):
        raise SnapshotError("these bytes are not a polytrix snapshot (format 1)")
    line, _, body = data[len(_MAGIC) :].partition(b"\n")
    try:
        header: dict[str, Any] = json.loads(line)
        name, data_marks, mark, saved, digest = (
            header[key] for key in ("game", "data", "record", "count", "sha256")
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SnapshotError("the snapshot's header is damaged") from None
    if name != game.id:
        raise SnapshotError(f"the snapshot is of {name}; this is {game.id}")
    if data_marks != game.data_marks:
        raise SnapshotError(
            f"the snapshot was played with {_describe(data_marks)}; this is {game.id} "
            f"with {_describe(game.data_marks)}. Load it into a game with the same data files"
        )
    if mark != record_mark(game):
        raise SnapshotError(f"the snapshot was written by another version of {game.id}; its record differs")
    if hashlib.sha256(body).hexdigest() != digest:
        raise SnapshotError("the snapshot is damaged: its checksum does not match")
    if type(saved) is not int or saved != count:
        raise SnapshotError(f"the snapshot holds {saved!r:.20} games; {count} rows were given for it")
    size = count * game.state.itemsize
    if len(body) != size + count * GENERATOR.itemsize:
        raise SnapshotError(f"the snapshot is damaged: {count} games do not have {len(body)} bytes")
    return Copies(np.frombuffer(body[:size], game.state), np.frombuffer(body[size:], GENERATOR))


@cache
def record_mark(game: Game) -> str:
    """A short hash of the record's fields, types and offsets."""
    return hashlib.sha256(repr(game.state).encode()).hexdigest()[:16]


def _describe(data_marks: Any) -> str:
    """Which data files are replaced, for an error."""
    return f"data files of its own, {data_marks}," if data_marks else "the shipped data files"
