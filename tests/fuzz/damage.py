"""Ways to damage files: byte by byte, and by changing the values in JSON.

Hypothesis makes no inputs here: its edge values come only with its own runs, of which no single try can be made
again after a crash, and from given bytes it draws hardly any.
"""

from __future__ import annotations

import io
import json
import os
import struct
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

Generator = np.random.Generator


def put(path: Path, data: bytes) -> None:
    """Write a new file; truncating an existing one is slow on some file systems."""
    path.unlink(missing_ok=True)
    path.write_bytes(data)


# -- bytes ------------------------------------------------------------------------------------


def damaged(data: bytes, rng: Generator, other: bytes = b"") -> bytes:
    """The bytes with one to three changes: flipped bits, a lost end, or other bytes in the place of a piece.

    Args:
        data: the undamaged bytes.
        rng: selects where and how.
        other: another undamaged file, parts of which may be spliced in.
    """
    for _ in range(rng.integers(1, 4)):
        way = rng.integers(8)
        if way < 2 and data:
            changed = bytearray(data)
            for place in rng.integers(0, 8 * len(data), rng.integers(1, 5)):
                changed[place // 8] ^= 1 << (place % 8)
            data = bytes(changed)
        elif way == 2:
            data = data[: rng.integers(len(data) + 1)]
        else:
            start, stop = _piece(data, rng)
            again, source = data[start:stop], int(rng.integers(len(other or data) + 1))
            spliced = (other or data)[source : source + stop - start]
            noise = rng.bytes(int(rng.integers(1, 100)))
            data = data[:start] + (b"", again * 2, bytes(stop - start), spliced, noise)[way - 3] + data[stop:]
    return data


def _piece(data: bytes, rng: Generator) -> tuple[int, int]:
    """Start and stop of a piece: mostly short, sometimes long."""
    longest = len(data) if rng.random() < 0.2 else min(len(data), 64)
    start = int(rng.integers(len(data) + 1))
    return start, min(len(data), start + int(rng.integers(longest + 1)))


# -- bombs ------------------------------------------------------------------------------------

STRANGE_NAMES = ("a" * 300, "a\0b", "\ud800", "a" * 5000, ".", "..")
"""Names of files that there cannot be."""


def long_directory(entries: int) -> bytes:
    """A zip archive with no files, and a directory with many entries of the same file."""
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 0, 20, 0, *[0] * 4, *[0] * 3, 1, *[0] * 6) + b"a"
    directory = entry * entries
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, entries & 0xFFFF, entries & 0xFFFF, len(directory), 0, 0)
    far = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, entries, entries, len(directory), 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, len(directory), 1)
    return directory + far + locator + end


# -- arrays -----------------------------------------------------------------------------------

TYPES = (
    "f2",
    "f8",
    "i8",
    "u1",
    "?",
    "c8",
    "c16",
    "M8[s]",
    "m8[D]",
    "S4",
    "U3",
    "i1",
    "u8",
    ">f4",
    "i4,f4",
    "V8",
)


def npy(array: Any) -> bytes:
    """The bytes of a `.npy` file."""
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def other_array(array: Any, rng: Generator) -> Any:
    """An array of another length, shape, type or order, or with other values."""
    way = int(rng.integers(11))
    if way < 6:
        return (
            array.T,
            np.asfortranarray(array),
            array[None],
            array.reshape(-1)[: rng.integers(array.size + 1)],
            np.repeat(array.reshape(-1), 2),
            np.zeros((0, *array.shape[1:]), array.dtype),
        )[way].copy("K")
    if way == 6 or array.dtype.kind not in "iufb":
        return np.zeros(array.shape, TYPES[int(rng.integers(len(TYPES)))])
    changed = array.copy().reshape(-1)
    if changed.size:
        wide = (np.nan, np.inf, -np.inf, 1e38, -3.4e38, 1e30, 1e-45, 0.0)
        values = wide if array.dtype.kind == "f" else (0, 1, 127, -1 % 128)
        some = rng.integers(changed.size, size=int(rng.integers(1, 20)))
        with np.errstate(over="ignore"):
            changed[some if way < 9 else slice(None)] = np.asarray(values[rng.integers(len(values))]).astype(
                array.dtype
            )
        if way == 10 and array.dtype.kind == "f":
            changed *= rng.choice([-1, 1], changed.size)  # sums of such weights are no numbers
    return changed.reshape(array.shape)


# -- JSON -------------------------------------------------------------------------------------

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 127, 128, -129, 255, 256, 2**15, 2**31, -(2**31) - 1, 2**32, 2**63 - 1,
    2**63, -(2**63) - 1, 2**64, 10**30, -(10**400), 0.5, -0.0, 1.0, 1e-320, 1e39, 1e308, float("nan"),
    float("inf"), float("-inf"), "", " ", "0", "1", "nan", "\0", "\ud800", "\U0001f600", "a" * 1000,
    "__class__", "../../x", [], [[]], {}, [0], [None], {"": None}, {"a": {}},
)  # fmt: skip
"""Values that a reader may not expect."""

_DEEP = "a place for something nested deeply"


def damaged_json(text: str, rng: Generator) -> str:
    """A JSON text with one to three changed values; the result is mostly valid JSON.

    Args:
        text: JSON of an object or a list.
        rng: selects where and how.
    """
    value = json.loads(text)
    for _ in range(rng.integers(1, 4)):
        value = _changed(value, rng)
    written = json.dumps(value)
    if _DEEP in written:
        depth = int(rng.choice([10, 500, 5000, 100_000]))
        opened, closed = (("[", "]"), ('{"a":', "}"))[rng.integers(2)]
        written = written.replace(f'"{_DEEP}"', opened * depth + "0" + closed * depth)
    if rng.random() < 0.05:
        written = written.replace(",", ', "format": 1,', 1)  # a duplicate name, or invalid JSON
    return written


def planted(text: str, found: Sequence[str], rng: Generator) -> str:
    """A JSON text in which one to three texts have something planted in them; names stay.

    Args:
        text: JSON of an object or a list.
        found: what may be planted.
        rng: selects where and what.
    """
    value = json.loads(text)
    places = list(_texts(value))
    for _ in range(rng.integers(1, 4)):
        around, key = places[rng.integers(len(places))]
        at = int(rng.integers(len(around[key]) + 1))
        around[key] = around[key][:at] + found[int(rng.integers(len(found)))] + around[key][at:]
    return json.dumps(value)


def _texts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Where the texts in a value are: what holds them, and under which key."""
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, str):
                yield value, key
            yield from _texts(item)


def _changed(value: Any, rng: Generator) -> Any:
    """A value with one change somewhere inside it, or a strange value in its place."""
    if not isinstance(value, (dict, list)) or not value or rng.random() < 0.03:
        return strange(value, rng)
    places = list(value) if isinstance(value, dict) else range(len(value))
    place = places[int(rng.integers(len(places)))]
    roll = rng.random()
    if roll < 0.7:
        value[place] = _changed(value[place], rng)
    elif roll < 0.8:
        del value[place]
    elif roll < 0.9:  # copy it to another place
        elsewhere = places[int(rng.integers(len(places)))]
        value[elsewhere] = deepcopy(value[place])
    elif isinstance(value, dict):
        value[("", "extra", "format", str(place) + " ", str(place).upper())[rng.integers(5)]] = strange(
            value[place], rng
        )
    else:
        value.insert(place, deepcopy(value[place]) if rng.random() < 0.5 else strange(value[place], rng))
    return value


def strange(value: Any, rng: Generator) -> Any:
    """A strange value, often close to the given one."""
    roll = rng.random()
    if isinstance(value, (int, float)) and roll < 0.4:
        return value + int(rng.integers(-3, 4))
    if isinstance(value, str) and value and roll < 0.4:
        at = int(rng.integers(len(value)))
        return value[:at] + chr(int(rng.integers(32, 300))) + value[at + int(rng.integers(2)) :]
    if roll < 0.5:
        return [value] if rng.random() < 0.5 else str(value)
    return _DEEP if roll < 0.53 else deepcopy(STRANGE[rng.integers(len(STRANGE))])


# -- code -------------------------------------------------------------------------------------


class Payload:
    """An object whose pickle creates a directory when it is loaded.

    Args:
        place: path of the directory.
    """

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.place),)

    def check(self) -> None:
        """Assert that the pickle was not loaded."""
        assert not self.place.exists(), "code in the file was run"
