"""The words and codes that are a game's own, so that they can be renamed: `polytrix.llm.disguise`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

WORD = "[A-Z]?[a-z]+|[A-Z]+(?![a-z])"
"""A regular expression of a word. `MainFrame` is two words, and so is `finish_depth`."""

MOST_FORMS = 6

_GROUP = re.compile("<([a-z]+)>")


def words_in(text: str) -> list[str]:
    """The words of a text, without single letters, in lower case.

    >>> words_in("a DragonMage, 3 ice-creams")
    ['dragon', 'mage', 'ice', 'creams']
    """
    return [word.lower() for word in re.findall(WORD, text) if len(word) > 1]


@dataclass(frozen=True)
class Vocabulary:
    """What is a game's own in its texts: rules, positions, moves, logs, errors.

    Args:
        words: a string for each word, with up to six forms: "flip flips flipped". A word in capitals, like a
            keyword that is also plain English, is meant in capitals only: "STEAL".
        marks: abbreviations, in their case: "QX" of the clause QX-31, "nw".
        letters: by name, letters that the notation and the board use: {"column": "abcdefg"}.
        codes: regular expressions of what is made of these letters, `<column>` standing for the letters of that
            name: "[<column>][0-9]+". A code stands between characters that are not letters. The expressions may
            not spell out words of the game, as these are renamed, too.
        initials: letters of codes that are the first letter of a word: {"d": "disc"}.
        plain: words of the title that stay, as the rules cannot be told without them. The others are renamed.

    Raises:
        ValueError: the parts do not fit together.
    """

    words: Sequence[str]
    marks: Sequence[str] = ()
    letters: Mapping[str, str] = field(default_factory=dict)
    codes: Sequence[str] = ()
    initials: Mapping[str, str] = field(default_factory=dict)
    plain: Sequence[str] = ()

    def __post_init__(self) -> None:
        for form in " ".join(self.words).split():
            if words_in(form) != [form.lower()]:
                raise ValueError(f"words contain {form!r}; allowed: one word of letters, in one case")
        for family in self.words:
            if not 1 <= len(family.split()) <= MOST_FORMS:
                raise ValueError(f"words contain {family!r}; allowed: one to {MOST_FORMS} forms of a word")
        for code in self.codes:
            if unknown := set(_GROUP.findall(code)) - self.letters.keys():
                raise ValueError(
                    f"the code {code!r} names {', '.join(sorted(unknown))}; "
                    f"the letters are {', '.join(self.letters) or 'none'}"
                )
        firsts = {family.split()[0] for family in self.words}
        for letter, word in self.initials.items():
            if letter not in "".join(self.letters.values()) or word not in firsts:
                raise ValueError(f"initials say {letter!r}: {word!r}; allowed: one of the letters, and a word")

    def pattern(self, letters: Mapping[str, str]) -> str:
        """The regular expression of all codes, "" if there are none.

        Args:
            letters: like `self.letters`, which may be joined by others.
        """
        codes = (_GROUP.sub(lambda group: letters[group[1]], code) for code in self.codes)
        return "|".join(f"(?<![A-Za-z])(?:{code})(?![A-Za-z])" for code in codes)
