from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from polytrix.drawing import Picture, Shape, arrow, text


def pixels(*shapes: Shape) -> np.ndarray:
    return Picture(100, 100, shapes).rgb()


def colored(image: np.ndarray) -> np.ndarray:
    """Where the image is not white."""
    return (image != 255).any(axis=2)


def test_an_arrow_to_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="different points"):
        arrow((3, 4), (3, 4), color="red")


def test_text_renders_centred_on_its_height() -> None:
    rows, columns = np.nonzero(colored(pixels(text(50, 50, "H", size=60, anchor="middle"))))
    assert len(rows) > 300
    assert rows.max() - rows.min() + 1 == pytest.approx(0.69 * 60, abs=2)  # Aileron's capitals
    assert (rows.min() + rows.max() + 1) / 2 == pytest.approx(50, abs=1)
    assert (columns.min() + columns.max() + 1) / 2 == pytest.approx(50, abs=1)


def test_every_printable_character_is_in_the_font() -> None:
    empty = [c for c in map(chr, range(33, 127)) if not colored(pixels(text(20, 50, c, size=60))).any()]
    assert empty == []
    missing = pixels(text(20, 50, "\u4e00", size=60))
    same = [c for c in map(chr, range(33, 127)) if (pixels(text(20, 50, c, size=60)) == missing).all()]
    assert same == []


def test_markup_in_text_and_attributes_is_escaped() -> None:
    svg = Picture(10, 10, (text(0, 0, '<b> & "c"', size=9, class_='"x"'),)).svg()
    found = ElementTree.fromstring(svg).find(".//{*}text")
    assert found is not None
    assert (found.text, found.get("class")) == ('<b> & "c"', '"x"')
