"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

UNFINISHED = ".part"
"""How the name of a file ends that is being written. One that stays behind is left from a killed process."""


@contextmanager
def whole_file(path: str | os.PathLike[str], *, durable: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the block ends without an exception.

    Until then, and after an exception, `path` is what it was, and the unfinished file beside it is removed.

    Args:
        path: the file. Its folder must exist.
        durable: have the content on the disk before it takes its place, so that a loss of power
            leaves the old file or the new one too.

    Raises:
        OSError: it cannot be written, for example because the disk is full.
    """
    target = Path(path)
    unfinished = target.with_name(f"{target.name}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        with unfinished.open("xb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(unfinished, target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
