"""The words and codes that are Quatrix's own, for `polytrix.llm.disguise`."""

from __future__ import annotations

from polytrix.core.vocabulary import Vocabulary

TERMS = (
    "ring rings",
    "disc discs",
    "pip pips",
    "red",
    "blue",
    "track tracks",
    "zone zones",
    "unit units",
    "pop pops popped popping",
    "odds",
)


def vocabulary() -> Vocabulary:
    """Squares, pieces on the board and in moves, and what they are called."""
    return Vocabulary(
        words=TERMS,
        letters={"column": "abcdefg", "piece": "rdpRDP"},
        codes=(
            "[<piece>]?[<column>][0-9]+(?:[-+x][<column>][0-9]+)?",  # a1, Rd1-d4, Dc3xc7
            "[<column>](?: [<column>])+",  # below the board
            "[<piece>.](?: [<piece>.])+",  # a row of the board
        ),
        initials={"r": "ring", "d": "disc", "p": "pip"},
    )
