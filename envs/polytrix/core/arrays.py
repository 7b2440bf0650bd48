"""Reads the arrays of `.npz` files from untrusted sources: headers are checked before they are used."""

from __future__ import annotations

import io
import math
import struct
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_ARRAYS = 1000

LARGEST_DIRECTORY = 256 * MOST_ARRAYS
"""In bytes: the directory is read before anything in it can be checked."""

KINDS = "bfiuU"
"""Allowed kinds of dtypes: Booleans, real numbers and text."""


def arrays_in(data: bytes) -> dict[str, npt.NDArray[Any]]:
    """The arrays in the bytes of a file written by `numpy.savez`, by name; they cannot be written to.

    Nothing is unpickled or decompressed, and an array takes as much memory as its bytes in the file.

    Raises:
        ValueError: the bytes are damaged, or have anything but arrays of numbers, truth values and text.
    """
    end = data[-22:]  # what zipfile reads first: the size of the directory, and that of a comment
    if end[:4] != b"PK\5\6" or end[-2:] != b"\0\0" or data[-42:-38] == b"PK\6\7":
        raise ValueError("it does not end as numpy.savez ends a file")
    (size,) = struct.unpack("<L", end[12:16])
    if size > LARGEST_DIRECTORY:
        raise ValueError(f"its directory has {size:,} bytes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _arrays_in(archive, len(data))
    except ValueError:
        raise
    except Exception as error:  # zipfile and NumPy raise undocumented errors on damaged input
        raise ValueError(f"{type(error).__name__}: {error}") from None


def _arrays_in(archive: zipfile.ZipFile, size: int) -> dict[str, npt.NDArray[Any]]:
    members = archive.infolist()
    if len(members) > MOST_ARRAYS:
        raise ValueError(f"it holds {len(members)} arrays")
    names = [member.filename.removesuffix(".npy") for member in members]
    if len(set(names)) < len(names):
        raise ValueError("two arrays have one name")
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise ValueError("its arrays are compressed; numpy.savez writes them as they are")
    if sum(member.file_size for member in members) > size:
        raise ValueError("its arrays share bytes, or are longer than the file")
    return {name: _array(name, archive.read(member)) for name, member in zip(names, members, strict=True)}


def _array(name: str, data: bytes) -> npt.NDArray[Any]:
    """The array in the bytes of a `.npy` file."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    read = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }.get(version)
    if read is None:
        raise ValueError(f"{name!r:.40} is of .npy version {version}")
    shape, by_columns, dtype = read(file)
    if dtype.kind not in KINDS or dtype.hasobject:
        raise ValueError(f"{name!r:.40} is of dtype {dtype!s:.40}; expected real numbers, truth values or text")
    body = memoryview(data)[file.tell() :]
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(body):
        raise ValueError(f"{name!r:.40} says it has shape {shape!s:.40}, but holds {len(body)} bytes")
    if dtype.kind == "b" and np.frombuffer(body, np.uint8).max(initial=0) > 1:
        raise ValueError(f"{name!r:.40} has Booleans that are neither 0 nor 1")
    return np.ndarray(shape, dtype, body, order="F" if by_columns else "C")
