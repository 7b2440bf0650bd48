"""Shared by the games' notations: the legal actions of a position, and errors that list them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
    """The name that somebody has written with other blanks or in another case; the text itself if it is none.

    >>> spelt(" MELEE  va", ["pass", "melee Va"]), spelt("melee Vb", ["pass", "melee Va"])
    ('melee Va', 'melee Vb')
    """
    written = "".join(text.split()).casefold()
    return next((name for name in names if "".join(name.split()).casefold() == written), text)


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


def whose_decision(mover: str, s: Record, look: str = "polytrix.api.words.text_of") -> str:
    """The mover, the number of the decision, and how to show the position, for an error."""
    return f"{mover} is to move, decision {int(s.decisions) + 1}; see the position with {look}"


def action_named(text: str, legal: Mapping[str, int], known: Collection[str], examples: str) -> int:
    """The action with this name, written exactly like that; `spelt` reads what people and models write.

    Args:
        text: what the user wrote.
        legal: the legal actions by name.
        known: the names of all actions.
        examples: some of them, for an error.

    Raises:
        NotationError: the text is not an action, or is illegal here.

    >>> action_named("melee Va", {"pass": 0, "melee Va": 77}, ["pass", "melee Va", "melee Vb"], "melee Va")
    77
    """
    name = as_text(text)
    if name in legal:
        return legal[name]
    if name in known:
        raise NotationError(f"{name!r} is illegal here; {some_of(legal)}")
    close = get_close_matches(name, legal, 1)
    hint = f"did you mean {close[0]!r}?" if close else some_of(legal)
    raise NotationError(f"{shown(text)} is not an action; write {examples}; {hint}")


def action_in_table(text: str, names: Sequence[str], ids: Collection[int], examples: str) -> int:
    """The action that a text names.

    Args:
        text: what the user wrote.
        names: of all actions by number, for a notation in which a text means the same in every position.
        ids: the legal actions.
        examples: some names, for an error.

    Raises:
        NotationError: the text is not an action, or one that is illegal here.
    """
    return action_named(text, {names[action]: action for action in ids}, names, examples)
