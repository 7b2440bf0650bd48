"""Charts as small files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")  # no window

COLOURS = 64
"""Colours of a chart: lines, bands and the edges of letters need no more."""


def save(figure: Any, file: Path) -> None:
    """Write a figure of matplotlib as a small PNG, and close it."""
    from matplotlib import pyplot
    from PIL import Image

    figure.savefig(file, dpi=100)
    pyplot.close(figure)
    with Image.open(file) as picture:
        octree = Image.Quantize.FASTOCTREE  # keeps the colours of thin lines and dots apart
        few = picture.convert("RGB").quantize(COLOURS, octree, dither=Image.Dither.NONE)  # a third of the room
    few.save(file, optimize=True)
