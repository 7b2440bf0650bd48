"""The words and codes that are Estimatrix's own, for `polytrix.llm.disguise`."""

from __future__ import annotations

from polytrix.core.vocabulary import Vocabulary, words_in

from .lexicon import DOMAIN, SYMBOL, WORD
from .state import CODES, COLOURS, LETTERS

TERMS = (
    *COLOURS,
    "kvanter",
    "negater",
    "estimator estimators",
    "spectrum",
    "wavelength wavelengths",
    "lexicon",
    "hint hints hinting",
    "ban bans banned",
    "echo",
    "clash",
    "domain domains",
    "acquaintance",
)


def vocabulary() -> Vocabulary:
    """Letters of seats and colours, and all words that can be hints."""
    hints = words_in(" ".join([*DOMAIN, *WORD, *SYMBOL]))
    return Vocabulary(
        words=(*TERMS, *dict.fromkeys(hints)),
        letters={"seat": "".join(LETTERS), "colour": CODES},
        codes=(
            "[<seat><colour>]",  # M, W; the faces Y5G1
            "[<seat>]{6}|[<colour>]{6}",  # MATRIX, YYYYYG
        ),
        initials=dict(zip(CODES, COLOURS, strict=True)),
    )
