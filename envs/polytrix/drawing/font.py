"""The font of all pictures: Aileron (public domain), which Pillow carries inside itself.

The rasteriser reads fonts from files, so Pillow's is written to one: beside the compiled
programs, or where that is not allowed, into a directory that lasts as long as the process.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from hashlib import sha256
from pathlib import Path

from polytrix.core.compiler import cache_directory


@cache
def font_file() -> Path:
    """A TrueType file with the font; looked for, and written if need be, once per process.

    Raises:
        RuntimeError: if Pillow was built without FreeType and so has no such font.
    """
    content = _font()
    name = f"aileron-{sha256(content).hexdigest()[:16]}.ttf"
    try:
        return _kept(cache_directory() / "fonts" / name, content)
    except OSError:
        return _kept(Path(_process_directory().name) / name, content)


def _font() -> bytes:
    from PIL import ImageFont

    font = ImageFont.load_default(12)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow has no FreeType, hence no font; install Pillow's wheel from PyPI")
    return font.font_bytes


def _kept(path: Path, content: bytes) -> Path:
    """`path`, once it holds `content`. Other processes may be doing the same."""
    if path.is_file() and path.read_bytes() == content:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(unfinished, path)
    except OSError:
        os.unlink(unfinished)
        raise
    return path


@cache
def _process_directory() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="polytrix-")
