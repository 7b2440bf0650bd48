"""Ways to damage files: byte by byte, and by changing the values in JSON."""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
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
    """The bytes with one to three kinds of damage.

    Args:
        data: the undamaged bytes.
        rng: selects where and how.
        other: another undamaged file, parts of which may be spliced in.
    """
    for _ in range(rng.integers(1, 4)):
        way = BYTES[rng.integers(len(BYTES))]
        data = way(data, rng, other or data)
    return data


def flip_bits(data: bytes, rng: Generator, other: bytes) -> bytes:
    """Flip one to four bits."""
    changed = bytearray(data)
    for place in rng.integers(0, 8 * len(data), rng.integers(1, 5)) if data else ():
        changed[place // 8] ^= 1 << (place % 8)
    return bytes(changed)


def set_byte(data: bytes, rng: Generator, other: bytes) -> bytes:
    """Set a byte to 0, 255 or a random value."""
    if not data:
        return data
    at = int(rng.integers(len(data)))
    byte = (0, 255, int(rng.integers(256)))[rng.integers(3)]
    return data[:at] + bytes([byte]) + data[at + 1 :]


def cut(data: bytes, rng: Generator, other: bytes) -> bytes:
    """Cut off the end."""
    return data[: rng.integers(len(data) + 1)]


def extend(data: bytes, rng: Generator, other: bytes) -> bytes:
    """Append random bytes."""
    return data + rng.bytes(int(rng.integers(1, 100)))


def repeat(data: bytes, rng: Generator, other: bytes) -> bytes:
    """Repeat a piece."""
    start, stop = _piece(data, rng)
    return data[:stop] + data[start:]


def leave_out(data: bytes, rng: Generator, other: bytes) -> bytes:
    """Remove a piece."""
    start, stop = _piece(data, rng)
    return data[:start] + data[stop:]


def blank(data: bytes, rng: Generator, other: bytes) -> bytes:
    """Overwrite a piece with zeros, as a failing disk may do."""
    start, stop = _piece(data, rng)
    return data[:start] + bytes(stop - start) + data[stop:]


def splice(data: bytes, rng: Generator, other: bytes) -> bytes:
    """Replace a piece with one from the other file."""
    start, stop = _piece(data, rng)
    source = int(rng.integers(len(other) + 1))
    return data[:start] + other[source : source + stop - start] + data[stop:]


def _piece(data: bytes, rng: Generator) -> tuple[int, int]:
    """Start and stop of a piece: mostly short, sometimes long."""
    longest = len(data) if rng.random() < 0.2 else min(len(data), 64)
    start = int(rng.integers(len(data) + 1))
    return start, min(len(data), start + int(rng.integers(longest + 1)))


BYTES: tuple[Callable[[bytes, Generator, bytes], bytes], ...] = (
    flip_bits, flip_bits, set_byte, cut, extend, repeat, leave_out, blank, splice
)  # fmt: skip

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


def deflated_zeros(length: int) -> bytes:
    """A raw deflate stream of some hundred kilobytes that becomes a gigabyte of zeros, or another length."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return block * (length >> 20) + packer.flush()


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
