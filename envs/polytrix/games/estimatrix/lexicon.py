"""The lexicon: tables of 48 words with six faces each, made from a data file that users can replace.

A face is a colour that the word may be read as. The file holds `domains` (six, of eight words each),
`labels` (48 other names for the words and symbols), or both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from polytrix.core.data import DataFile, Replacement, entry, list_of
from polytrix.core.errors import DataError
from polytrix.core.state import ByteArray

from .state import CODES, COLOUR_COUNT, DOMAINS, FACES, PLACES, WORDS

SOURCE = Path(__file__).with_name("lexicon.json")
LONGEST = 24
SYMBOLS = [f"s{number:02}" for number in range(WORDS)]

_TOKEN = re.compile(rf"[a-z0-9-]{{1,{LONGEST}}}")
_ALLOWED_TOKEN = f"1 to {LONGEST} of a-z, 0-9 and -"

Names = npt.NDArray[np.str_]


class Tables(NamedTuple):
    """The tables of a lexicon."""

    face: ByteArray  # [word, face]: colour, ascending
    faces: ByteArray  # [word, colour]: number of faces of that colour
    word: Names  # [word]
    symbol: Names  # [word]: the name of the symbol with that number
    domain: Names  # [domain]


def parse_token(text: Any, where: str, taken: dict[str, str]) -> str:
    """Check a word, label or name, and return it.

    Args:
        text: the value in the file.
        where: its place in the file, for error messages.
        taken: places of earlier tokens, by token; the new one is added.

    Raises:
        DataError: the token is malformed or a duplicate.
    """
    if not isinstance(text, str) or not _TOKEN.fullmatch(text):
        raise DataError(f"{where} is {text!r}; allowed: {_ALLOWED_TOKEN}")
    if text in taken:
        raise DataError(f"{where} is {text!r}, as {taken[text]} is already; allowed: all different")
    taken[text] = where
    return text


def parse_faces(letters: Any, where: str) -> list[int]:
    """The colours of the six faces, ascending; raises DataError."""
    allowed = f"six letters of {CODES}, at most five different ones, for example 'YYYYYG'"
    if not isinstance(letters, str) or len(letters) != FACES or not set(letters) <= set(CODES):
        raise DataError(f"{where} is {letters!r}; allowed: {allowed}")
    colours = sorted(CODES.index(letter) for letter in letters)
    if len(set(colours)) == COLOUR_COUNT:
        raise DataError(
            f"{where} is {letters!r}, every colour once; allowed: {allowed}. "
            "A word lacks a colour, so that a ban can leave all its readings possible"
        )
    return colours


def parse_lexicon(content: Any) -> Tables:
    """The tables of a lexicon file.

    Args:
        content: the parsed JSON; only its fields `domains` and `labels` are read.

    Raises:
        DataError: the content is invalid. The message says where, what was found and what is allowed.
    """
    if not isinstance(content, Mapping) or not {"domains", "labels"} & set(content):
        raise DataError(
            "the lexicon has neither 'domains' nor 'labels'; write "
            '{"domains": [{"name": "food", "words": [{"word": "banana", "faces": "YYYYYG"}, ...]}, ...]} '
            'with six domains of eight words, or {"labels": [...]} with 48 names'
        )
    domains = entry(content, "domains", "the lexicon") if "domains" in content else shipped()["domains"]
    names: dict[str, str] = {}
    words: dict[str, str] = {}
    faces = []
    for number, domain in enumerate(list_of(domains, DOMAINS, "domains", "domains")):
        where = f"domains[{number}]"
        parse_token(entry(domain, "name", where), f"{where}.name", names)
        for place, item in enumerate(list_of(entry(domain, "words", where), PLACES, "words", f"{where}.words")):
            at = f"{where}.words[{place}]"
            parse_token(entry(item, "word", at), f"{at}.word", words)
            faces.append(parse_faces(entry(item, "faces", at), f"{at}.faces"))
    labels = parse_labels(content["labels"]) if "labels" in content else None
    return tables(faces, labels or list(words), labels or SYMBOLS, list(names))


def parse_labels(content: Any) -> list[str]:
    """48 other names for the words; raises DataError."""
    labels: dict[str, str] = {}
    for number, label in enumerate(list_of(content, WORDS, "labels", "labels")):
        parse_token(label, f"labels[{number}]", labels)
    return list(labels)


def tables(
    faces: Sequence[Sequence[int]], words: Sequence[str], symbols: Sequence[str], domains: Sequence[str]
) -> Tables:
    """Tables of a valid lexicon."""
    count = [[word.count(colour) for colour in range(COLOUR_COUNT)] for word in map(list, faces)]
    text = f"<U{LONGEST}"
    return Tables(
        np.array(faces, np.int8),
        np.array(count, np.int8),
        np.array(words, text),
        np.array(symbols, text),
        np.array(domains, text),
    )


def shipped() -> dict[str, Any]:
    """The parsed content of the shipped file."""
    content: dict[str, Any] = json.loads(SOURCE.read_text(encoding="utf-8"))
    return content


_SHIPPED = parse_lexicon(shipped())
FACE, COUNT, WORD, SYMBOL, DOMAIN = _SHIPPED


def build(content: Any) -> Replacement:
    """The tables to replace for another lexicon; raises DataError."""
    return Replacement(tables=list(zip(_SHIPPED, parse_lexicon(content), strict=True)))


LEXICON_FILE = DataFile(
    name="lexicon",
    help="the 48 words: JSON with `domains`, six of {name, words: [{word, faces}]}, or 48 `labels`",
    source=SOURCE,
    build=build,
)
