"""Atomic file writes: a file appears whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

UNFINISHED = ".part"
"""Suffix of a file while it is written. A leftover one comes from a killed process."""


@contextmanager
def whole_file(path: str | os.PathLike[str], *, durable: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which replaces `path` when the block ends without an exception.

    Until then, and after an exception, `path` is unchanged. An exception removes the unfinished file. A link
    stays one; a device or a pipe cannot be replaced, and is written to at once.

    Args:
        path: the file. Its folder must exist.
        durable: flush the content to disk first, so that a power loss, too, leaves the old file or the
            new one.

    Raises:
        OSError: it cannot be written, for example because the disk is full.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            yield file
        return
    target = Path(path).resolve()
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


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text to a file, which appears whole or not at all.

    Args:
        path: the file. Its folder must exist.
        text: the text, for UTF-8.

    Raises:
        OSError: it cannot be written, for example because the disk is full.
    """
    with whole_file(path) as file:
        file.write(text.encode())


def write_json(path: str | os.PathLike[str], content: Any) -> None:
    """Write JSON to a file, which appears whole or not at all.

    Args:
        path: the file. Its folder must exist.
        content: lists, dictionaries, texts and numbers.

    Raises:
        OSError: it cannot be written, for example because the disk is full.
    """
    write_text(path, _json(content) + "\n")


def _json(content: Any, indent: str = "") -> str:
    """JSON with a line for each item, except that what fits into a line and a list of numbers are in one.

    >>> print(_json({"seeds": [1, 2], "games": [{"won": 1}, {"text": "abc " * 23}]}))
    {
     "seeds": [1, 2],
     "games": [
      {"won": 1},
      {"text": "abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc "}
     ]
    }
    """
    line, inner = json.dumps(content), indent + " "
    if isinstance(content, dict) and len(indent + line) > 110:
        items = [f"{json.dumps(str(key))}: {_json(value, inner)}" for key, value in content.items()]
        return "{\n" + inner + f",\n{inner}".join(items) + f"\n{indent}}}"
    if isinstance(content, list) and len(indent + line) > 110 and isinstance(content[0], (dict, list)):
        return "[\n" + inner + f",\n{inner}".join(_json(each, inner) for each in content) + f"\n{indent}]"
    return line
