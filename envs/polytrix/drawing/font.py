"""The font of all pictures: Aileron (public domain), which Pillow carries inside itself.

The rasteriser reads fonts from files, so Pillow's is written to one: beside the compiled
programs, or where that is not allowed, into a directory that lasts as long as the process.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from polytrix.core.compile.cache_directory import cache_directory, process_directory
from polytrix.core.files import whole_file


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
        return _kept(process_directory() / name, content)


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
    with whole_file(path) as file:
        file.write(content)
    return path
