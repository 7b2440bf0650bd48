"""The font of all pictures: Aileron (public domain), which is included in Pillow.

The rasteriser reads fonts from files, so the font is written to the cache directory, or if that is not
writable, to a directory that is removed at the end of the process.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from polytrix.core.compile.cache_directory import cache_directory, process_directory
from polytrix.core.files import whole_file


@cache
def font_file() -> Path:
    """The TrueType file of the font, written if it does not exist.

    Raises:
        RuntimeError: Pillow was built without FreeType and does not include the font.
    """
    content = _font()
    name = f"aileron-{sha256(content).hexdigest()[:16]}.ttf"
    try:
        return _keep(cache_directory() / "fonts" / name, content)
    except OSError:
        return _keep(process_directory() / name, content)


def _font() -> bytes:
    from PIL import ImageFont

    font = ImageFont.load_default(12)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError(
            "this Pillow was built without FreeType and has no font; install its wheel from PyPI"
        )
    return font.font_bytes


def _keep(path: Path, content: bytes) -> Path:
    """Write `content` to `path` if it is not there. Other processes may do the same at the same time."""
    if path.is_file() and path.read_bytes() == content:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(content)
    return path
