from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from polytrix.drawing import Picture, Shape, arrow, circle, group, line, polygon, polyline, rect, text

WHITE, RED = (255, 255, 255), (255, 0, 0)


def pixels(*shapes: Shape) -> np.ndarray:
    return Picture(100, 100, shapes).rgb()


def colored(image: np.ndarray) -> np.ndarray:
    """Where the image is not white."""
    return (image != 255).any(axis=2)


def test_a_circle_is_round_and_where_it_should_be() -> None:
    image = pixels(circle(30, 60, 20, fill="red"))
    assert tuple(image[60, 30]) == RED
    assert tuple(image[60, 12]) == RED
    assert tuple(image[60, 8]) == WHITE
    assert tuple(image[76, 46]) == WHITE  # inside the square around it, outside of the circle
    assert tuple(image[30, 60]) == WHITE  # x and y are not exchanged


def test_a_rectangle_covers_its_pixels_exactly() -> None:
    inside = colored(pixels(rect(10, 20, 30, 40, fill="red")))
    assert inside[20:60, 10:40].all()
    assert inside.sum() == 30 * 40


def test_lines_and_outlines() -> None:
    image = pixels(line((0, 10), (100, 10), stroke="red", stroke_width=4))
    assert colored(image)[8:12].all()
    assert colored(image).sum() == 400
    bent = colored(pixels(polyline([(10, 10), (90, 10), (90, 90)], stroke="red", stroke_width=4)))
    assert bent[10, 50] and bent[50, 90] and not bent[30, 70]
    assert colored(pixels(polygon([(10, 10), (90, 10), (90, 90)], fill="red")))[30, 70]


def test_an_arrow_ends_at_its_tip() -> None:
    ink = colored(pixels(arrow((20, 50), (80, 50), color="red", width=4)))
    columns = np.flatnonzero(ink.any(axis=0))
    assert columns.min() in (17, 18)  # the round end of the shaft
    assert columns.max() == 79
    heights = ink.sum(axis=0)
    assert heights[40] == 4  # the shaft
    assert heights[68] > 10  # the head, widest at its base
    assert heights[68] > heights[74] > heights[79]


def test_an_arrow_to_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="different points"):
        arrow((3, 4), (3, 4), color="red")


def test_a_group_is_turned_clockwise_about_its_centre() -> None:
    image = pixels(group(rect(70, 45, 10, 10, fill="red"), rotate=(90, 50, 50)))
    assert colored(image)[70:80, 45:55].all()
    assert colored(image).sum() == 100


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
