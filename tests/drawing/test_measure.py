"""Text is measured and broken so that it fits."""

from __future__ import annotations

import numpy as np
import pytest

from polytrix.drawing import Picture, lines_of, text, text_width

SENTENCE = "a random card of the opponent: you use its order, he loses it"


@pytest.mark.parametrize("content", ["TELEPORT", "Doppelganger", "24 Credits"])
def test_text_is_as_wide_as_it_is_drawn(content: str) -> None:
    pixels = Picture(300, 60, (text(20, 30, content, size=30),)).rgb()
    columns = np.flatnonzero((pixels < 128).any(axis=(0, 2)))
    assert columns[-1] + 1 - 20 == pytest.approx(text_width(content, 30), abs=4)


@pytest.mark.parametrize("width", [60, 90, 134, 172, 400])
def test_lines_fit_and_keep_every_word(width: int) -> None:
    lines = lines_of(SENTENCE, width, 11)
    assert " ".join(lines) == SENTENCE
    assert all(text_width(line, 11) <= width for line in lines)


def test_lines_are_of_about_the_same_length() -> None:
    lines = lines_of(SENTENCE, 200, 11)
    assert len(lines) == 2 and min(map(len, lines)) > 0.6 * max(map(len, lines))


def test_a_word_wider_than_the_line_stands_alone() -> None:
    assert lines_of("a Doppelganger is", 20, 16) == ("a", "Doppelganger", "is")
    assert lines_of("", 20, 16) == ("",)
