"""Pictures of positions: shapes are written as SVG, which is rendered to pixels."""

from .font import lines_of, text_width
from .picture import Picture
from .shapes import Shape, arrow, circle, group, line, place, polygon, polyline, rect, text, texts

__all__ = [
    "Picture",
    "Shape",
    "arrow",
    "circle",
    "group",
    "line",
    "lines_of",
    "place",
    "polygon",
    "polyline",
    "rect",
    "text",
    "text_width",
    "texts",
]
