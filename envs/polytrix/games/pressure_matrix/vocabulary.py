"""The words and codes that are Pressure Matrix's own, for `polytrix.llm.disguise`."""

from __future__ import annotations

from polytrix.core.vocabulary import Vocabulary

from .matrix import PLACE_NAMES
from .state import SEAT_NAMES

TERMS = (
    *SEAT_NAMES,
    "green",
    "yellow",
    "red",
    "runner runners",
    "node nodes",
    "credit credits",
    "control",
    "marker markers",
    "black blacks blacked blacking",
    "blackout blackouts",
    "freeze freezes frozen",
    "gauge",
    # keywords that are words in the rules as well
    "flip flips",
    "invert inverts inverted inverting",
    "teleport teleports teleported",
    "swap",
    "reclaim",
    "recall",
    "harvest",
    "hack",
    "thaw",
    "escape",
    "toll",
    "tax taxes",
    "shield",
    "reboot",
    # keywords that are plain English, too
    "WIN",
    "PAY PAYS",
    "GIVE",
    "STEAL",
    "DISCARD",
    "MOVE",
    "LEVEL",
    "JUMP",
    "LEADER",
    "RIVAL",
)


def vocabulary() -> Vocabulary:
    """Seats, what is on the tiles, and squares. The rows keep their numbers."""
    return Vocabulary(
        words=TERMS,
        marks=PLACE_NAMES,
        letters={"column": "abcde"},
        codes=(
            "[<column>][1-9]",  # a1
            "[<column>](?: +[<column>])+",  # above a board
        ),
    )
