"""The words and codes that are Pixel Tactics' own, for `polytrix.llm.disguise`."""

from __future__ import annotations

from polytrix.core.vocabulary import Vocabulary, words_in

from .cards.cards import CARDS

TERMS = (
    "south",
    "north",
    "vanguard",
    "flank",
    "rear",
    "leader leaders",
    "intercept intercepts intercepting interceptor interceptors",
    "hero heroes",
    "unit units",
    "wave waves",
    "corpse corpses",
    "captive captives captor",
    "forerunner",
    "supporter",
    "melee",
    "ranged",
    "power powers",
    "recruit recruits recruited recruiting",
    "ceasefire",
    "trophy trophies",
    "ward wards warded",
    "thorns",
    "restructure",
)


def vocabulary() -> Vocabulary:
    """The cards, rows and columns, and what a card can be and do."""
    names = words_in(" ".join(card.name for card in CARDS))
    people = words_in(" ".join(card.leader_name for card in CARDS))
    return Vocabulary(
        words=(*TERMS, *(f"{name} {name}s" for name in names), *dict.fromkeys(people)),
        marks=[card.code for card in CARDS],
        letters={"row": "VFR", "column": "abc", "other": "LO", "reach": "ri"},
        codes=(
            "[<row>][<column>]",  # Va
            "[<row><other>]",
            "[<column>](?:,? [<column>])+",  # a, b, c
            "(?<=column )[<column>]",
            "(?<=[A-Za-z] )[<column>](?! [A-Za-z0-9*`\"'])",  # ends a move; behind an article stands a word
            "[0-9]{1,3}/[0-9]{1,3} [<reach>]{1,2}",  # behind the lives left
            "(?<=`)[<reach>](?=`)",
        ),
        initials={"V": "vanguard", "F": "flank", "R": "rear", "L": "leader", "r": "ranged", "i": "intercept"},
    )
