"""States as bytes, with enough around them to refuse what does not fit.

A snapshot is a header of one line of JSON, a SHA-256 of the rest, and the raw records.
Every byte of a record belongs to a field (`record.py`), so equal states are equal bytes.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from .errors import SnapshotError
from .game import Game
from .state import GENERATOR, RecordArray

_MAGIC = b"polytrix snapshot 1\n"


def dump(game: Game, states: RecordArray, generators: RecordArray) -> bytes:
    """Bytes of some states and of the generators of their built-in policies."""
    header = {
        "game": game.id, "data": game.data_marks, "record": record_mark(game), "count": len(states)
    }  # fmt: skip
    body = states.tobytes() + generators.tobytes()
    digest = hashlib.sha256(body).hexdigest()
    return _MAGIC + json.dumps(header | {"sha256": digest}).encode() + b"\n" + body


def parse(game: Game, data: bytes, count: int) -> tuple[RecordArray, RecordArray]:
    """The states and generators in a snapshot of `game`.

    Raises:
        SnapshotError: for anything that `dump` did not write for this game and version.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise SnapshotError(f"a snapshot is bytes, not {type(data).__name__}")
    data = bytes(data)
    if not data.startswith(_MAGIC):
        raise SnapshotError("these bytes are no polytrix snapshot (format 1)")
    line, _, body = data[len(_MAGIC) :].partition(b"\n")
    try:
        header: dict[str, Any] = json.loads(line)
        name, data_marks, mark, saved, digest = (
            header[key] for key in ("game", "data", "record", "count", "sha256")
        )
    except (ValueError, KeyError, TypeError):
        raise SnapshotError("the snapshot's header is damaged") from None
    if name != game.id:
        raise SnapshotError(f"the snapshot is of {name}; this is {game.id}")
    if data_marks != game.data_marks:
        raise SnapshotError(
            f"the snapshot was played with {_described(data_marks)}; this is {game.id} "
            f"with {_described(game.data_marks)}. Load it into a game with the same data files"
        )
    if mark != record_mark(game):
        raise SnapshotError(f"the snapshot was written by another version of {game.id}; its record differs")
    if hashlib.sha256(body).hexdigest() != digest:
        raise SnapshotError("the snapshot is damaged: its checksum does not match")
    if saved != count:
        raise SnapshotError(f"the snapshot holds {saved} games; {count} rows were given for it")
    size = saved * game.state.itemsize
    states = np.frombuffer(body[:size], game.state)
    generators = np.frombuffer(body[size:], GENERATOR)
    return states, generators


def record_mark(game: Game) -> str:
    """A short hash of the record's fields, types and places."""
    return hashlib.sha256(repr(game.state).encode()).hexdigest()[:16]


def _described(data_marks: Any) -> str:
    """Which data files are replaced, for people."""
    return f"data files of its own, {data_marks}," if data_marks else "the shipped data files"
