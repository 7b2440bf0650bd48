"""Shared by the games' notations: the legal actions of a position, and errors that list them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np

from .calls import shown
from .errors import NotationError
from .state import IdArray, Record

SHOWN = 8
"""The most legal actions that an error lists."""


def ids_of(legal: Callable[[Any, IdArray], int], s: Record, max_legal: int) -> list[int]:
    """The legal actions by the game's rule, ascending; none unless a seat is to move."""
    ids = np.zeros(max_legal, np.int16)
    count = legal(s, ids) if s.mover >= 0 else 0
    return [int(i) for i in ids[:count]]


def as_text(text: Any) -> str:
    """The text of an action in notation, or NotationError if it is not a string."""
    if not isinstance(text, str):
        raise NotationError(
            f"{shown(text)} is not an action but of type {type(text).__name__}; "
            "allowed: text, an action in notation"
        )
    return text


def spelt(text: str, names: Iterable[str]) -> str:
    """The name that somebody has written with other blanks, in another case or without a `#` at its end.

    The text itself if it is none of them.

    >>> [spelt(text, ["pass", "melee Va", "De5+e8#"]) for text in (" MELEE  va", "de5+e8", "pass#")]
    ['melee Va', 'De5+e8#', 'pass#']
    """
    exact = {"".join(name.split()).casefold(): name for name in names}
    without_sign = {written.removesuffix("#"): name for written, name in exact.items()}
    return (without_sign | exact).get("".join(text.split()).casefold(), text)


def some_of(names: Collection[Any], see: str = "") -> str:
    """What is legal, for an error.

    Args:
        names: of the legal actions, or their numbers.
        see: where all of them are.

    >>> some_of(["pass", "draw"])
    'legal are pass, draw (2 in all)'
    """
    if not names:
        return "no seat is to move"
    listed = ", ".join(map(str, list(names)[:SHOWN])) + (", ..." if len(names) > SHOWN else "")
    return f"legal are {listed} ({len(names)} in all{', see ' if see else ''}{see})"


def not_named(text: str, names: Collection[str], reason: str = "") -> NotationError:
    """The error for a text that is the name of no legal action.

    Args:
        text: what the user wrote.
        names: of the legal actions.
        reason: why none has this name, if that is known.

    >>> print(not_named("melee Vb", ["pass", "draw"], "nobody is there"))
    'melee Vb' names no legal action: nobody is there; legal are pass, draw (2 in all)
    """
    close = get_close_matches(text, names, 1)
    hint = f"did you mean {close[0]!r}?" if close else some_of(names)
    return NotationError(f"{shown(text)} names no legal action{reason and ': ' + reason}; {hint}")


def whose_decision(mover: str, s: Record, look: str = "polytrix.api.words.text_of") -> str:
    """The mover, the number of the decision, and how to show the position, for an error."""
    return f"{mover} is to move, decision {int(s.decisions) + 1}; see the position with {look}"
