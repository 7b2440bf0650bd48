"""What a game declares as its own words and codes."""

from __future__ import annotations

import re

import pytest

from polytrix.core.vocabulary import Vocabulary, words_in


def test_words_are_parted_at_capitals_digits_and_signs() -> None:
    assert words_in("a MainFrame, DEEP BLU9000 finish_depth=2 Rd1 ice-cream+") == [
        "main", "frame", "deep", "blu", "finish", "depth", "rd", "ice", "cream",
    ]  # fmt: skip


def test_codes_are_made_of_the_letters() -> None:
    vocabulary = Vocabulary(
        words=(), letters={"row": "VF", "column": "ab"}, codes=("[<row>][<column>]", "[<row>]")
    )
    pattern = re.compile(vocabulary.pattern({"row": "VFKQ", "column": "abmn"}))
    assert pattern.findall("Va, Fb, V, Km, Ka: not Vab, VF, As, va") == ["Va", "Fb", "V", "Km", "Ka"]
    assert Vocabulary(words=("pip",)).pattern({}) == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"words": ["ice-cream"]}, "words contain 'ice-cream'; allowed: one word of letters, in one case"),
        ({"words": ["MainFrame"]}, "words contain 'MainFrame'; allowed"),
        ({"words": ["x"]}, "words contain 'x'; allowed"),
        ({"words": [""]}, "words contain ''; allowed: one to 6 forms"),
        ({"words": ["go goes went gone going goer goers"]}, "allowed: one to 6 forms"),
        ({"words": [], "codes": ["[<row>]"]}, r"names row; the letters are none"),
        ({"words": ["pip"], "initials": {"p": "pip"}}, "initials say 'p': 'pip'; allowed: one of the letters"),
        (
            {"words": ["disc"], "letters": {"piece": "p"}, "initials": {"p": "pip"}},
            "initials say 'p': 'pip'; allowed: one of the letters, and a word",
        ),
    ],
)
def test_a_vocabulary_fits_together(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Vocabulary(**arguments)  # type: ignore[arg-type]
