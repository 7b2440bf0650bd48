"""Pictures made of shapes.

The libraries that render them are imported with the first image, so that `import polytrix` stays fast.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from html import unescape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from polytrix.core.calls import is_whole

from .font import font_bytes
from .shapes import FONT_FAMILY, Shape, group, is_place, rect

_PLACE = re.compile(r' data-place="([^"]*)"')


@dataclass(frozen=True)
class Picture:
    """Shapes on a background, as SVG text, PNG bytes or pixels. Notebooks display it.

    Args:
        width, height: in pixels.
        shapes: from the functions of `polytrix.drawing`, drawn in this order.
        background: background colour.

    >>> from polytrix.drawing import Picture, circle
    >>> picture = Picture(40, 30, (circle(20, 15, 10, fill="#c00"),))
    >>> pixels = picture.rgb()
    >>> pixels.shape, pixels.dtype, pixels[15, 20].tolist()
    ((30, 40, 3), dtype('uint8'), [204, 0, 0])
    """

    width: int
    height: int
    shapes: tuple[Shape, ...]
    background: str = "#fff"

    def __repr__(self) -> str:
        return f"Picture({self.width} x {self.height}, {len(self.shapes)} shapes)"

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"the picture is {self.width} x {self.height}; allowed: 1 x 1 and larger")

    def svg(self, scale: int = 1) -> str:
        """The picture as an SVG document.

        Args:
            scale: factor for width and height.

        Raises:
            ValueError: the scale is not a positive integer.
        """
        if not is_whole(scale) or scale < 1:
            raise ValueError(f"scale is {scale!r}; allowed: 1, 2, 3, ...")
        ground = rect(0, 0, self.width, self.height, fill=self.background)
        body = group(ground, *self.shapes, font_family=FONT_FAMILY)
        size = f'width="{scale * self.width}" height="{scale * self.height}"'
        box = f'viewBox="0 0 {self.width} {self.height}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>{body}</svg>'

    @property
    def places(self) -> tuple[str, ...]:
        """The names of the places (`polytrix.drawing.place`), in the order in which they are drawn.

        >>> from polytrix.drawing import Picture, place
        >>> Picture(96, 48, (place("a1", 0, 0, 48, 48), place("b1", 48, 0, 48, 48))).places
        ('a1', 'b1')
        """
        return tuple(unescape(name) for shape in self.shapes for name in _PLACE.findall(shape))

    def compared(self, before: Picture) -> Picture:
        """The same picture, with each shape that `before` does not have in a group of class `changed`.

        >>> from polytrix.drawing import Picture, circle
        >>> one, two = circle(5, 5, 4), circle(15, 5, 4)
        >>> Picture(20, 10, (one, two)).compared(Picture(20, 10, (one,))).shapes[1]
        '<g class="changed"><circle cx="15" cy="5" r="4"/></g>'
        """
        had = Counter(before.shapes)
        shapes: list[Shape] = []
        for shape in self.shapes:
            had[shape] -= 1
            seen = had[shape] >= 0 or is_place(shape)
            shapes.append(shape if seen else group(shape, class_="changed"))
        return replace(self, shapes=tuple(shapes))

    def png(self, scale: int = 1) -> bytes:
        """The picture as a PNG file, the same on every machine: no system fonts; `scale` as for `svg`."""
        from resvg_py import svg_to_bytes

        with TemporaryDirectory(prefix="polytrix-") as folder:  # the rasteriser reads fonts from files
            font = Path(folder, "font.ttf")
            font.write_bytes(font_bytes())
            drawn = svg_to_bytes(svg_string=self.svg(scale), skip_system_fonts=True, font_files=[str(font)])
        return bytes(drawn)

    def rgb(self, scale: int = 1) -> npt.NDArray[np.uint8]:
        """The pixels, (scale * height, scale * width, 3) uint8, rows from the top; a new array."""
        from PIL import Image

        with Image.open(BytesIO(self.png(scale))) as image:
            return np.array(image.convert("RGB"))

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_png_(self) -> bytes:
        return self.png()
