"""What others have written does nothing to a terminal."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from polytrix.core.catalogue import UnknownGameError
from polytrix.core.errors import PolicyError
from polytrix.core.terminal import printable


def test_every_control_character_is_shown_but_tab_and_line_feed() -> None:
    for code in (*range(0x3000), *range(0xD700, 0xE100), sys.maxunicode):
        sign = chr(code)
        shown = printable(sign)
        if unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\t\n":
            assert shown.startswith("\\") and shown.isascii() and shown.isprintable()
        elif not (0x200E <= code <= 0x2069 or code == 0x61C):
            assert shown == sign


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200f", "\u061c", "\u2028"])
def test_what_turns_the_direction_is_shown(sign: str) -> None:
    assert printable(f"a{sign}b") == f"a\\u{ord(sign):04x}b"


@pytest.mark.parametrize("text", ["", "two\nlines", "Grüße, 日本語　😀 \N{ZERO WIDTH JOINER}", "–", "\xa0"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_lines_end_in_one_way() -> None:
    assert printable("a\r\nb\rc\r") == "a\nb\\rc\\r"


@pytest.mark.parametrize("kind", [PolicyError, UnknownGameError])
def test_errors_show_them(kind: type[Exception]) -> None:
    assert str(kind("no \x1b[2J\r\ud800")) == "no \\x1b[2J\\r\\ud800"
