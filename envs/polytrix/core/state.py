"""The record that holds one game, and the values every game shares.

A game's whole state is one element of a NumPy structured array. It starts with the
fields below, which the core reads and writes; the fields of the game itself follow.
Because a state is plain memory, saving, copying, forking and hashing it are copies of
its bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .options import MOST_DECISIONS, Options
from .record import Field, Seen, record_dtype

CHANCE = -1
"""`mover` while a chance event is pending."""

OVER = -2
"""`mover` once the game has ended."""

Record: TypeAlias = Any
"""One state: an element of a record array, read and written as `s.field[index]`."""

RecordArray: TypeAlias = npt.NDArray[Any]
ByteArray: TypeAlias = npt.NDArray[np.int8]
IdArray: TypeAlias = npt.NDArray[np.int16]
IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float32]

GENERATOR = np.dtype([("key", np.uint64), ("counter", np.uint64)], align=True)
"""A random generator: which stream of words, and how many of them are spent (see `random.py`)."""

CORE_FIELDS: list[Field | tuple[Any, ...]] = [
    ("generator", GENERATOR),  # its key is the seed of the game, until the game is forked
    Field("decisions", np.int32, 0, MOST_DECISIONS, seen=Seen.IN_PART),  # of seats; chance is not counted
    Field("mover", np.int8, OVER, 127),  # a seat, CHANCE or OVER
    Field("num_players", np.int8, 1, 127),  # seats 0..num_players-1 take part; see `Game.write_options`
    Field("truncated", np.uint8, seen=Seen.IN_PART),  # 1 if a limit has ended the game
]


def state_dtype(options: Options, fields: Sequence[Field | tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a game's states: the core's fields, the options, then the game's own fields.

    Args:
        options: of the game.
        fields: its own fields. What is given as a tuple, as NumPy takes it, may hold all that its type can;
            give each a `Field` with bounds, or a snapshot from a stranger may be loaded that crashes the game.

    >>> from polytrix.core.options import Options
    >>> state_dtype(Options(), [Field("pile", np.int8, 0, 20)]).names[-3:]
    ('options', 'pile', 'gap_1')
    """
    return record_dtype([*CORE_FIELDS, ("options", options.dtype), *fields])


def new_records(count: int, dtype: np.dtype[Any]) -> RecordArray:
    """`count` zeroed records whose fields can be read as attributes, compiled or not."""
    return np.zeros(count, dtype).view(np.recarray)
