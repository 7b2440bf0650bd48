"""Atomic file writes: a file appears whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Literal

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


# -- the user's folders ----------------------------------------------------------------------


def make_private(directory: Path) -> None:
    """Create a directory that only its owner can enter, if missing; ignore failure."""
    with suppress(OSError):
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(mode=0o700, exist_ok=True)


def user_folder(kind: Literal["cache", "data"]) -> Path | None:
    """The platform's place for polytrix in the user's caches or data; None if unknown."""
    folders: tuple[str, ...] = ("polytrix",)
    below: tuple[str, ...]
    if sys.platform == "win32":
        chosen, below = os.environ.get("LOCALAPPDATA"), ("AppData", "Local")
        folders = ("polytrix", kind.capitalize())
    elif sys.platform == "darwin":
        chosen, below = None, ("Library", "Caches" if kind == "cache" else "Application Support")
    else:
        chosen = os.environ.get(f"XDG_{kind.upper()}_HOME")
        below = (".cache",) if kind == "cache" else (".local", "share")
    if chosen and Path(chosen).is_absolute():  # XDG: relative paths are invalid and ignored
        return Path(chosen, *folders)
    home = _home()
    return None if home is None else home.joinpath(*below, *folders)


def _home() -> Path | None:
    """The user's home directory; None if there is no HOME and no such user, or HOME is not an absolute path."""
    if os.environ.get("HOME") == "":  # Path.home() would return the root
        return None
    try:
        home = Path.home()
    except (RuntimeError, KeyError):
        return None
    return home if home.is_absolute() else None
