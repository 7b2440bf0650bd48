"""The shapes of pictures: each function returns one SVG element.

Lengths are in pixels; x increases to the right, y downwards. Keyword arguments become attributes of the SVG
element, with hyphens for underscores (`stroke_width=3`) and without a trailing underscore (`class_="ring"`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from math import atan2, cos, sin
from typing import NewType, TypeAlias

Shape = NewType("Shape", str)
"""An SVG element as text."""

Number: TypeAlias = float | int
Point: TypeAlias = tuple[Number, Number]

FONT_FAMILY = "Aileron, Helvetica, Arial, sans-serif"
"""Images use Aileron; a browser without it uses the next font."""

_HALF_CAPITAL = 0.345  # of the font size, in Aileron


def circle(x: Number, y: Number, radius: Number, **style: Number | str) -> Shape:
    """A circle around (x, y).

    >>> circle(10, 20, 5, fill="none", stroke="black", stroke_width=2.5)
    '<circle cx="10" cy="20" r="5" fill="none" stroke="black" stroke-width="2.5"/>'
    """
    return _element("circle", "", cx=x, cy=y, r=radius, **style)


def rect(
    x: Number, y: Number, width: Number, height: Number, *, radius: Number = 0, **style: Number | str
) -> Shape:
    """A rectangle with its top left corner at (x, y); `radius` rounds the corners."""
    return _element("rect", "", x=x, y=y, width=width, height=height, rx=radius, **style)


def place(
    name: str, x: Number, y: Number, width: Number, height: Number, *, label: str = "", says: str = ""
) -> Shape:
    """A place that players touch: an invisible rectangle over what is drawn there, with a name.

    Where places overlap, the one that is drawn last is touched.

    Args:
        name: the same for all seats, and unique in the picture: `b3`, `deck`.
        x, y, width, height: as for `rect`.
        label: for screen readers, if the name alone does not tell a viewer which place it is.
        says: what is drawn there, in sentences on lines of their own: shown with the place, large, when it is
            touched. A viewer must be allowed to know it.

    >>> place("b3", 48, 96, 48, 48)
    '<rect data-place="b3" x="48" y="96" width="48" height="48" fill="none"/>'
    """
    words = {"aria_label": label, "data_says": says}
    spoken = {key: value for key, value in words.items() if value}
    size = {"x": x, "y": y, "width": width, "height": height}
    return _element("rect", "", data_place=name, **size, fill="none", **spoken)


def is_place(shape: Shape) -> bool:
    """Whether a shape was made by `place`."""
    return shape.startswith("<rect data-place=")


def line(start: Point, end: Point, **style: Number | str) -> Shape:
    """A straight line, which needs a `stroke`."""
    (x1, y1), (x2, y2) = start, end
    return _element("line", "", x1=x1, y1=y1, x2=x2, y2=y2, **style)


def polyline(points: Sequence[Point], **style: Number | str) -> Shape:
    """An open line through points."""
    return _element("polyline", "", points=_joined(points), fill="none", **style)


def polygon(points: Sequence[Point], **style: Number | str) -> Shape:
    """A filled polygon."""
    return _element("polygon", "", points=_joined(points), **style)


def text(
    x: Number, y: Number, content: str, *, size: Number, anchor: str = "start", **style: Number | str
) -> Shape:
    """A line of text, vertically centred on y.

    Args:
        x: start, middle or end of the text, depending on `anchor`.
        y: middle of capitals and digits.
        content: the font has printable ASCII and few other characters (`·`, quotes).
        size: font size.
        anchor: `start`, `middle` or `end`.
        style: other attributes.

    >>> text(0, 50, "a<b", size=100)
    '<text x="0" y="84.5" font-size="100" text-anchor="start">a&lt;b</text>'
    """
    baseline = y + _HALF_CAPITAL * size
    return _element("text", escape(content), x=x, y=baseline, font_size=size, text_anchor=anchor, **style)


def texts(
    x: Number,
    y: Number,
    lines: Iterable[str],
    *,
    size: Number,
    step: Number,
    anchor: str = "start",
    **style: Number | str,
) -> list[Shape]:
    """Lines of text below each other, each `step` lower than the one before; otherwise as `text`."""
    return [text(x, y + step * i, each, size=size, anchor=anchor, **style) for i, each in enumerate(lines)]


def arrow(start: Point, end: Point, *, color: str, width: Number = 4, **style: Number | str) -> Shape:
    """A straight arrow with its tip at `end`; a short one has no shaft.

    Raises:
        ValueError: the points are equal.
    """
    if tuple(start) == tuple(end):
        raise ValueError(f"the arrow starts and ends at {start}; give it two different points")
    (x1, y1), (x2, y2) = start, end
    angle = atan2(y2 - y1, x2 - x1)
    along = (cos(angle), sin(angle))
    length, half = 3.5 * width, 2 * width
    base = (x2 - length * along[0], y2 - length * along[1])
    tip = [
        (x2, y2),
        (base[0] - half * along[1], base[1] + half * along[0]),
        (base[0] + half * along[1], base[1] - half * along[0]),
    ]
    shaft = line(start, base, stroke=color, stroke_width=width, stroke_linecap="round")
    is_long = (x2 - x1) ** 2 + (y2 - y1) ** 2 > length**2
    return _element("g", (shaft if is_long else "") + polygon(tip, fill=color), **style)


def group(*shapes: Shape, rotate: tuple[Number, Number, Number] | None = None, **style: Number | str) -> Shape:
    """Shapes with common attributes and rotation.

    Args:
        shapes: drawn in this order.
        rotate: angle in degrees, clockwise, and x, y of the centre of rotation.
        style: attributes of the group.

    >>> group(circle(0, 0, 1), rotate=(90, 5, 5), opacity=0.5)
    '<g opacity="0.5" transform="rotate(90 5 5)"><circle cx="0" cy="0" r="1"/></g>'
    """
    if rotate is not None:
        style["transform"] = f"rotate({' '.join(map(_number, rotate))})"
    return _element("g", "".join(shapes), **style)


def _element(tag: str, content: str, /, **attributes: Number | str) -> Shape:
    """An SVG element; `content` is SVG."""
    written = "".join([_attribute(name, value) for name, value in attributes.items()])
    return Shape(f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>")


@lru_cache(maxsize=1 << 14)  # pictures repeat colours and coordinates
def _attribute(name: str, value: Number | str) -> str:
    written = escape(value).replace("\n", "&#10;") if isinstance(value, str) else _number(value)
    return f' {name.rstrip("_").replace("_", "-")}="{written}"'


def _number(value: Number) -> str:
    """A number with at most two decimals, so that rounding errors do not show."""
    return f"{round(float(value), 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _joined(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
