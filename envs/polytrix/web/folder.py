"""The folder in which games are kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from polytrix.core.compile.cache_directory import make_private
from polytrix.core.errors import PolytrixError

VARIABLE = "POLYTRIX_DATA"


def data_folder() -> Path:
    """`$POLYTRIX_DATA`, else `polytrix` in the user's data directory; created if missing, for its owner alone.

    Raises:
        PolytrixError: it cannot be created.
    """
    chosen = os.environ.get(VARIABLE)
    folder = Path(chosen).absolute() if chosen else _usual()
    make_private(folder)
    if not folder.is_dir():
        raise PolytrixError(
            f"games cannot be kept in {folder}, which cannot be created; set {VARIABLE} to another folder"
        )
    return folder


def _usual() -> Path:
    """The platform's place for polytrix in the user's data."""
    try:
        home = Path.home()
    except (RuntimeError, KeyError):
        raise PolytrixError(
            f"there is no home directory to keep games in; set {VARIABLE} to a folder"
        ) from None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local", "polytrix", "Data")
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "polytrix"
    given = os.environ.get("XDG_DATA_HOME", "")  # relative paths are invalid and ignored
    return Path(given if Path(given).is_absolute() else home / ".local" / "share", "polytrix")
