"""Placeholder."""

from __future__ import annotations

from polytrix.core.state import Record
from polytrix.drawing import Picture


def draw(s: Record, seat: int | None) -> Picture:
    """To come."""
    return Picture(10, 10, ())
