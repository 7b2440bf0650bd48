"""Checkpoints of training runs: files of tensors, arrays and plain data, without code.

A file has a line that names the format, a line with the SHA-256 of the rest, a line of JSON, and the bytes of
the arrays, one after the other. In the JSON, numbers, text and lists stand for themselves. Any other value is
an object with one entry: `{"map": [[key, value], ...]}`, `{"tuple": [...]}`, `{"float": "nan"}`,
`{"bytes": length}`, or `{"array": [dtype, shape]}`, with `tensor` instead of `array` for a PyTorch tensor and
`scalar` for a NumPy scalar. Arrays are in C order and little-endian.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core.errors import CheckpointError, MissingExtraError
from polytrix.core.files import whole_file

MAGIC = b"polytrix checkpoint 1\n"

DTYPES = {
    name: np.dtype(name)
    for name in (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
        "float64",
    )
}  # fmt: skip
"""Allowed dtypes of arrays."""

MOST_VALUES = 1_000_000
"""Maximum number of values besides what is in arrays: each takes much more memory than room in the file."""

MOST_DIMENSIONS = 16
"""Maximum number of dimensions of an array."""

_DIGEST = 2 * hashlib.sha256().digest_size + 1  # with the end of its line


def write_checkpoint(path: str | os.PathLike[str], state: Mapping[str, Any]) -> None:
    """Write a state to a file, atomically, even if the power fails.

    Args:
        path: the file.
        state: dicts with str or int keys, lists, tuples, str, bytes, numbers, None, NumPy arrays and scalars,
            and PyTorch tensors, nested in any way.

    Raises:
        CheckpointError: the state has a value of another type, or more than `MOST_VALUES`; nothing has been
            written.
        OSError: the file cannot be written; the old one is kept.
    """
    blocks: list[memoryview] = []
    try:
        line = json.dumps(_encode(dict(state), blocks, "the state"), separators=(",", ":")).encode()
    except RecursionError:
        raise CheckpointError("the state is nested too deeply, or contains itself") from None
    if _values(line) > MOST_VALUES:
        raise CheckpointError(f"the state has more than {MOST_VALUES:,} values; keep numbers in arrays")
    parts = [memoryview(line + b"\n"), *blocks]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    with whole_file(path, durable=True) as file:
        file.write(MAGIC)
        file.write(digest.hexdigest().encode() + b"\n")
        for part in parts:
            file.write(part)


def read_checkpoint(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The state in a file written by `write_checkpoint`; tensors are on the CPU.

    Whatever the file contains, reading it runs no code from it, and needs little more memory than twice its
    size and what `MOST_VALUES` take (200 MB).

    Raises:
        CheckpointError: the file cannot be read, is damaged, or is not a checkpoint.
        MissingExtraError: the file has tensors, and PyTorch is not installed.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{os.fspath(path)} cannot be read: {error.strerror}") from None
    except ValueError as error:  # no file has such a name
        raise CheckpointError(f"{os.fspath(path)!r} cannot be read: {error}") from None
    try:
        return _parse(data)
    except CheckpointError as error:
        raise CheckpointError(f"{os.fspath(path)} {error}") from None


def _parse(data: bytes) -> dict[str, Any]:
    """The state in the bytes of a file, or CheckpointError."""
    if not data.startswith(MAGIC):
        raise CheckpointError("is not a checkpoint (of format 1)")
    start = len(MAGIC) + _DIGEST
    body = memoryview(data)[start:]
    if data[len(MAGIC) : start] != hashlib.sha256(body).hexdigest().encode() + b"\n":
        raise CheckpointError("is damaged: its checksum does not match")
    end = max(data.find(b"\n", start), start)
    line = data[start:end]
    if _values(line) > MOST_VALUES:
        raise CheckpointError(f"has more than {MOST_VALUES:,} values besides its arrays")
    reader = _Reader(memoryview(data)[end + 1 :])
    try:
        state = json.loads(line, object_hook=reader.decode)
    except RecursionError:
        raise CheckpointError("is damaged: it is nested too deeply") from None
    except (ValueError, OverflowError) as error:  # invalid JSON, UTF-8, numbers or shapes
        raise CheckpointError(f"is damaged: {error}") from None
    if not isinstance(state, dict):
        raise CheckpointError(f"is damaged: it holds a {type(state).__name__} instead of a state")
    if reader.left:
        raise CheckpointError(f"is damaged: {reader.left} unused bytes")
    return state


def _values(line: bytes) -> int:
    """At most how many values there are in a line of JSON."""
    return sum(line.count(each) for each in (b",", b"[", b"{"))


# -- writing ----------------------------------------------------------------------------------


def _encode(value: Any, blocks: list[memoryview], where: str) -> Any:
    """The JSON form of a value; errors say `where` it is. Appends the bytes of arrays to `blocks`."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) in (list, tuple):
        items = [_encode(item, blocks, f"{where}[{number}]") for number, item in enumerate(value)]
        return items if type(value) is list else {"tuple": items}
    if isinstance(value, dict):
        for key in value:
            if type(key) not in (str, int):
                raise CheckpointError(f"{where} has the key {key!r}; allowed: text and whole numbers")
        return {"map": [[key, _encode(item, blocks, f"{where}[{key!r}]")] for key, item in value.items()]}
    if isinstance(value, (bytes, bytearray)):
        blocks.append(memoryview(value))
        return {"bytes": len(value)}
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        if str(value.dtype).removeprefix("torch.") in DTYPES and value.layout is torch.strided:
            return {"tensor": _block(value.detach().cpu().numpy(), blocks)}
    elif isinstance(value, (np.ndarray, np.generic)) and value.dtype.name in DTYPES:
        kind = "array" if isinstance(value, np.ndarray) else "scalar"
        return {kind: _block(np.asarray(value), blocks)}
    raise CheckpointError(
        f"{where} is a {type(value).__module__}.{type(value).__qualname__}; allowed: tensors and arrays of "
        "real numbers, and plain data: dicts, lists, tuples, text, bytes, numbers, None"
    )


def _block(array: npt.NDArray[Any], blocks: list[memoryview]) -> list[Any]:
    """Append the bytes of an array to `blocks`. Returns its dtype and shape."""
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).reshape(-1)
    blocks.append(little.view(np.uint8).data)
    return [array.dtype.name, list(array.shape)]


# -- reading ----------------------------------------------------------------------------------


class _Reader:
    """Decodes objects of JSON, and reads the bytes of arrays in order. Invalid ones raise ValueError."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """Number of unread bytes."""
        return len(self._data) - self._at

    def decode(self, value: dict[str, Any]) -> Any:
        """The value of an object whose own objects are decoded already."""
        if len(value) != 1:
            raise ValueError(f"an object has {len(value)} entries; expected 1")
        ((kind, content),) = value.items()
        if kind == "map":
            return _map(content)
        if kind == "tuple" and isinstance(content, list):
            return tuple(content)
        if kind == "float" and content in ("nan", "inf", "-inf"):
            return float(content)
        if kind == "bytes":
            return bytes(self._take(_size(content)))
        if kind in ("array", "scalar", "tensor"):
            return self._array(kind, content)
        raise ValueError(f"{kind!r:.40} is not a kind of value")

    def _array(self, kind: str, content: Any) -> Any:
        if not (isinstance(content, list) and len(content) == 2 and isinstance(content[1], list)):
            raise ValueError("an array has no dtype and shape")
        name, shape = content[0], [_size(length) for length in content[1]]
        if not isinstance(name, str) or name not in DTYPES:
            raise ValueError(f"{name!r:.40} is no dtype of an array")
        if len(shape) > MOST_DIMENSIONS:
            raise ValueError(f"an array has {len(shape)} dimensions")
        dtype = DTYPES[name]
        taken = self._take(math.prod(shape) * dtype.itemsize)
        if name == "bool" and np.frombuffer(taken, np.uint8).max(initial=0) > 1:
            raise ValueError("a bool is neither 0 nor 1")
        array = np.frombuffer(taken, dtype.newbyteorder("<")).reshape(shape).astype(dtype)
        if kind == "array":
            return array
        if kind == "scalar":
            if shape:
                raise ValueError(f"a number has the shape {shape}")
            return array[()]
        try:
            import torch
        except ImportError:
            raise MissingExtraError("a checkpoint with tensors", "train") from None
        return torch.from_numpy(array)

    def _take(self, size: int) -> memoryview:
        if size > self.left:
            raise ValueError(f"{size} bytes are needed, but {self.left} are left")
        self._at += size
        return self._data[self._at - size : self._at]


def _map(content: Any) -> dict[str | int, Any]:
    """The dictionary of a list of keys and values, or ValueError."""
    made: dict[str | int, Any] = {}
    for pair in content if isinstance(content, list) else [None]:
        if not (isinstance(pair, list) and len(pair) == 2 and type(pair[0]) in (str, int)):
            raise ValueError("a map is no list of keys and values")
        if pair[0] in made:
            raise ValueError(f"the key {pair[0]!r:.40} is repeated")
        made[pair[0]] = pair[1]
    return made


def _size(value: Any) -> int:
    """A valid number of bytes or items, or ValueError."""
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r:.40} is no size")
    return value
