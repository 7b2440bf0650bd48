from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from polytrix.drawing import Picture, circle, group, place, text

PICTURE = Picture(60, 40, (circle(30, 20, 10, fill="red"), text(2, 10, "ok", size=12)), background="#eee")


def test_pixels_are_rows_columns_and_colours() -> None:
    image = PICTURE.rgb()
    assert image.shape == (40, 60, 3)
    assert image.dtype == np.uint8
    assert image[39, 59].tolist() == [0xEE] * 3
    assert image.flags.writeable


def test_places_are_named_and_never_seen() -> None:
    named = (place("left & <up>", 0, 0, 30, 20), group(place("right", 30, 0, 30, 40, label="the right half")))
    picture = Picture(60, 40, (*PICTURE.shapes, *named), PICTURE.background)
    assert picture.places == ("left & <up>", "right") and PICTURE.places == ()
    root = ElementTree.fromstring(picture.svg())
    places = {e.get("data-place"): e.get("aria-label") for e in root.iter() if e.get("data-place")}
    assert places == {"left & <up>": None, "right": "the right half"}
    assert picture.png() == PICTURE.png()


def test_a_new_place_is_no_change() -> None:
    new, old = circle(5, 5, 4), circle(15, 5, 4)
    picture = Picture(20, 10, (new, place("a1", 0, 0, 10, 10), old))
    assert picture.compared(Picture(20, 10, (old,))).shapes == (
        group(new, class_="changed"),
        place("a1", 0, 0, 10, 10),
        old,
    )


def test_a_scaled_picture_has_more_pixels() -> None:
    assert PICTURE.rgb(scale=3).shape == (120, 180, 3)
    assert PICTURE.rgb(scale=3)[60, 90].tolist() == [255, 0, 0]
    assert PICTURE.svg(np.int64(3)) == PICTURE.svg(3)


@pytest.mark.parametrize("scale", [0, -1, 1.5, True])
def test_a_scale_must_be_a_whole_number(scale: float) -> None:
    with pytest.raises(ValueError, match="allowed: 1, 2, 3"):
        PICTURE.png(scale)  # type: ignore[arg-type]


def test_png_and_svg_are_files_of_their_kind() -> None:
    with Image.open(BytesIO(PICTURE.png())) as image:
        assert (image.format, image.size) == ("PNG", (60, 40))
        assert (np.array(image.convert("RGB")) == PICTURE.rgb()).all()
    root = ElementTree.fromstring(PICTURE.svg())
    assert (root.tag, root.get("width"), root.get("height")) == ("{http://www.w3.org/2000/svg}svg", "60", "40")


def test_an_empty_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="0 x 5"):
        Picture(0, 5, ())
