"""Positions as pictures: shapes make an SVG, which kept libraries turn into pixels."""

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
