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
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)  # needs a third of the room
    few.save(file, optimize=True)
