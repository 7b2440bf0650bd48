"""Reads `.npz` files from untrusted sources: headers are checked before they are used."""

from __future__ import annotations

import io
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from polytrix.core.errors import PolicyError

LARGEST_FILE = 1 << 30
"""In bytes; networks for these games are much smaller."""

MOST_ARRAYS = 1000

KINDS = "fiuU"
"""Allowed kinds of dtypes: real numbers and text."""


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file written by `numpy.savez`, by name.

    Nothing is unpickled or decompressed, and an array takes as much memory as its bytes in the file.

    Raises:
        PolicyError: the file cannot be read, is damaged, or has anything but arrays of numbers and text.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise PolicyError(f"it cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_FILE:
        raise PolicyError(f"it has more than {LARGEST_FILE:,} bytes")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _arrays_in(archive, len(data))
    except PolicyError:
        raise
    except Exception as error:  # zipfile and NumPy raise undocumented errors on damaged input
        raise PolicyError(f"{type(error).__name__}: {error}") from None


def _arrays_in(archive: zipfile.ZipFile, size: int) -> dict[str, npt.NDArray[Any]]:
    members = archive.infolist()
    if len(members) > MOST_ARRAYS:
        raise PolicyError(f"it holds {len(members)} arrays")
    names = [member.filename.removesuffix(".npy") for member in members]
    if len(set(names)) < len(names):
        raise PolicyError("two arrays have one name")
    if any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise PolicyError("its arrays are compressed; numpy.savez writes them as they are")
    if sum(member.file_size for member in members) > size:
        raise PolicyError("its arrays share bytes, or are longer than the file")
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
        raise PolicyError(f"{name!r:.40} is of .npy version {version}")
    shape, by_columns, dtype = read(file)
    if dtype.kind not in KINDS or dtype.hasobject:
        raise PolicyError(f"{name!r:.40} is of dtype {dtype!s:.40}; expected real numbers")
    body = memoryview(data)[file.tell() :]
    if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != len(body):
        raise PolicyError(f"{name!r:.40} says it has shape {shape!s:.40}, but holds {len(body)} bytes")
    return np.ndarray(shape, dtype, body, order="F" if by_columns else "C")
