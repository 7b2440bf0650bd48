"""The words and codes that are RESISTOR_'s own, for `polytrix.llm.disguise`."""

from __future__ import annotations

from polytrix.core.vocabulary import Vocabulary

TERMS = (
    "red",
    "blue",
    "resistor resistors",
    "supercomputers",
    "deep",
    "blu",
    "main",
    "frame",
    "defcon",
    "circuit circuits",
    "chip chips",
    "diamond diamonds",
    "wire wires wired",
    "stub stubs",
    "flip flips flipped flipping",
    "trash trashed trashes",
    "switch switches switched",
    "lock locks locked",
    "resolve resolves resolved",
    "resolution resolutions",
    "repair repairs",
    "undo",
    "comeback",
    "dangerous",
    "feedback",
    "overflow",
    "recycle recycling",
    "subsystems",
)


def vocabulary() -> Vocabulary:
    """Actions, lines on cards, and what the things on the table are called."""
    return Vocabulary(
        words=TERMS,
        letters={"action": "FDPTSLRUK", "hand": "oe", "colour": "rb", "side": "ab"},
        codes=(
            "[<action>][1-9](?:[<hand>][1-9][-+])?",  # F3, S3e2-
            "[<action>](?:[<hand>][1-9]|[<side>])",  # To1, Pa
            "[<action>]-?",  # D, T-
            r"[<colour>](?:[01*][01*]|[<action>][01])",  # r01, b*1, rL0
            "(?<=`)[<colour><hand>](?=`)",
            r"[<hand>](?= \()",  # in an error
            "=[0-9]+[<side>][-+]?",  # a card of chance
            "(?<=side )[<side>]",
        ),
        initials={
            "F": "flip",
            "T": "trash",
            "S": "switch",
            "L": "lock",
            "R": "resolve",
            "U": "undo",
            "r": "red",
            "b": "blue",
        },
    )
