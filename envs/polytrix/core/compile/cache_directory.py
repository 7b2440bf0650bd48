"""The directory of compiled programs. They are code, so nobody else may be able to put them there."""

from __future__ import annotations

import os
import stat
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

from ..files import make_private, user_folder

VARIABLE = "POLYTRIX_CACHE"

OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_directory() -> Path:
    """The directory of compiled programs, created if missing, for its owner alone.

    It is `$POLYTRIX_CACHE`, else `polytrix` in the user's cache directory. If the latter belongs to
    another user, is writable by others, or there is no home directory for it, a temporary directory of
    this process replaces it. `$POLYTRIX_CACHE` is the user's own choice: it is used as it is, with a
    warning if others may write to it.

    The directory may still be impossible to write to.
    """
    chosen = os.environ.get(VARIABLE)
    return _chosen(chosen) if chosen else _usual(user_folder("cache"))


@cache
def process_directory() -> Path:
    """A directory that only this user can enter, removed when the process ends."""
    return Path(_temporary().name)


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="polytrix-")


@cache
def _chosen(name: str) -> Path:
    directory = Path(name).absolute()
    make_private(directory)
    if mistrusted := _why_mistrusted(directory):
        warnings.warn(
            f"{VARIABLE} is {name!r}, {mistrusted}: anyone who can write there can run code as you. "
            "It is used anyway, because you chose it",
            stacklevel=2,
        )
    return directory


@cache
def _usual(directory: Path | None) -> Path:
    if directory is None:
        warnings.warn(
            "there is no home directory to cache compiled programs in: they are compiled for this process "
            f"alone. Set HOME, or set {VARIABLE} to a directory",
            stacklevel=2,
        )
        return process_directory()
    make_private(directory)
    if mistrusted := _why_mistrusted(directory):
        warnings.warn(
            f"{directory}, {mistrusted}, is not used for compiled programs, which are code: they are compiled "
            f"for this process alone. Delete it to have it recreated, or set {VARIABLE} to another directory",
            stacklevel=2,
        )
        return process_directory()
    with suppress(OSError):
        if os.name == "posix" and directory.stat().st_mode & 0o077:
            directory.chmod(0o700)
    return directory


def _why_mistrusted(directory: Path) -> str:
    """What is wrong with the permissions of a directory; "" if nothing is, or it does not exist."""
    if os.name != "posix":  # on Windows, user folders are private
        return ""
    try:
        found = directory.stat()
    except OSError:
        return ""
    if found.st_uid != os.geteuid():
        return f"which belongs to user {found.st_uid}"
    if found.st_mode & OTHERS_MAY_WRITE:
        return f"which others may write to (mode {stat.S_IMODE(found.st_mode):o})"
    return ""
