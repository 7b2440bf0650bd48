"""Renders SVG to pixels, identically on every machine: system fonts are never used.

The libraries are imported with the first image, so that `import polytrix` stays fast.
"""

from __future__ import annotations

from io import BytesIO

import numpy as np
import numpy.typing as npt

from .font import font_file


def png(svg: str) -> bytes:
    """An SVG document as a PNG file.

    Raises:
        ValueError: the document is no SVG.
    """
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=[str(font_file())]))


def rgb(png_file: bytes) -> npt.NDArray[np.uint8]:
    """The pixels of a PNG file, (height, width, 3) uint8."""
    from PIL import Image

    with Image.open(BytesIO(png_file)) as image:
        return np.array(image.convert("RGB"))
