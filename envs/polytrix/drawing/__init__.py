"""Pictures of positions: shapes are written as SVG, which is rendered to pixels."""

from .picture import Picture
from .shapes import Shape, arrow, circle, group, line, polygon, polyline, rect, text

__all__ = [
    "Picture",
    "Shape",
    "arrow",
    "circle",
    "group",
    "line",
    "polygon",
    "polyline",
    "rect",
    "text",
]
