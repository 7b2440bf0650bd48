"""Where compiled programs are kept. They are code, so nobody else may have put them there."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

VARIABLE = "POLYTRIX_CACHE"

OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_directory() -> Path:
    """The directory of compiled programs, made if it does not exist, for its owner alone.

    It is `$POLYTRIX_CACHE`, else `polytrix` in the user's cache directory. In the place of the latter, if it
    belongs to another user or others may write to it, and if there is no home directory to have it in,
    comes a directory that lasts as long as the process. `$POLYTRIX_CACHE` is the user's own choice: it is
    used as it is, with a warning if others may write to it.

    It may still be impossible to write to it.
    """
    chosen = os.environ.get(VARIABLE)
    return _chosen(chosen) if chosen else _usual(_place())


def make_private(directory: Path) -> None:
    """Make a directory, if there is none, that only its owner can enter; failing is no error."""
    with suppress(OSError):
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(mode=0o700, exist_ok=True)


@cache
def process_directory() -> Path:
    """A directory that only this user can enter and that is removed when the process ends."""
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
            f"{VARIABLE} is {name!r}, {mistrusted}: who can write there can run code as you. It is used, "
            "as you have chosen it",
            stacklevel=2,
        )
    return directory


@cache
def _usual(directory: Path | None) -> Path:
    if directory is None:
        warnings.warn(
            "no home directory is known to keep compiled programs in: they are compiled for this process "
            f"alone. Set HOME, or {VARIABLE} to a directory",
            stacklevel=2,
        )
        return process_directory()
    make_private(directory)
    if mistrusted := _why_mistrusted(directory):
        warnings.warn(
            f"{directory}, {mistrusted}, is not used for compiled programs, which are code: they are compiled "
            f"for this process alone. Delete it, and it is made anew; or set {VARIABLE} to another directory",
            stacklevel=2,
        )
        return process_directory()
    with suppress(OSError):
        if os.name == "posix" and directory.stat().st_mode & 0o077:
            directory.chmod(0o700)
    return directory


def _place() -> Path | None:
    """Where the platform has the user's caches, and polytrix among them; None if that cannot be known."""
    if sys.platform == "win32":
        local, below = os.environ.get("LOCALAPPDATA"), ("AppData", "Local")
        folders: tuple[str, ...] = ("polytrix", "Cache")
    elif sys.platform == "darwin":
        local, below = None, ("Library", "Caches")
        folders = ("polytrix",)
    else:
        local, below = os.environ.get("XDG_CACHE_HOME"), (".cache",)
        folders = ("polytrix",)
    if local and Path(local).is_absolute():  # the XDG standard: others are invalid and to be ignored
        return Path(local, *folders)
    home = _home()
    return None if home is None else home.joinpath(*below, *folders)


def _home() -> Path | None:
    """The user's home directory, or None: no HOME, and no user of this number; or a HOME that is no place."""
    if os.environ.get("HOME") == "":  # Path.home() takes it for the root
        return None
    try:
        home = Path.home()
    except (RuntimeError, KeyError):
        return None
    return home if home.is_absolute() else None


def _why_mistrusted(directory: Path) -> str:
    """What is wrong with the rights on a directory, or nothing; one that does not exist has none."""
    if os.name != "posix":  # on Windows the user's folders are the user's own
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
