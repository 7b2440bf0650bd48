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

    figure.savefig(file, dpi=100)
    pyplot.close(figure)
    reduce_colours(file)


def reduce_colours(file: Path) -> None:
    """Write a chart again with few colours: it needs a third of the room then."""
    from PIL import Image

    with Image.open(file) as picture:
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(file, optimize=True)
