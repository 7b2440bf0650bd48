"""Aileron, the font of all pictures (public domain, included in Pillow), and the width of text in it."""

from __future__ import annotations

from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

_SIZE = 100


@cache
def font_bytes() -> bytes:
    """The content of the font's TrueType file.

    Raises:
        RuntimeError: Pillow was built without FreeType and does not include the font.
    """
    from PIL import ImageFont

    font = ImageFont.load_default(12)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError(
            "this Pillow was built without FreeType and has no font; install its wheel from PyPI"
        )
    return bytes(font.font_bytes)


def text_width(content: str, size: float) -> float:
    """The width of a line of text, in pixels.

    >>> text_width("ab", 20) > text_width("a", 20) > text_width("a", 10) > 4
    True
    """
    return _measure().getlength(content) * size / _SIZE


@lru_cache(maxsize=4096)
def lines_of(content: str, width: float, size: float) -> tuple[str, ...]:
    """Text in as few lines as fit the width, of about the same length.

    Args:
        content: words separated by spaces. A word that is wider than `width` has a line of its own.
        width: of the widest line, in pixels.
        size: font size.

    >>> lines_of("a recruit for this row attacks once and is discarded", 160, 12)
    ('a recruit for this row attacks', 'once and is discarded')
    """
    lines = _fill(content, width, size)
    narrower = lines
    while len(narrower) == len(lines) > 1 and width > 1:
        lines, width = narrower, 0.95 * width
        narrower = _fill(content, width, size)
    return tuple(lines)


def _fill(content: str, width: float, size: float) -> list[str]:
    """Each line as long as fits."""
    lines = [""]
    for word in content.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@cache
def _measure() -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(BytesIO(font_bytes()), _SIZE)
