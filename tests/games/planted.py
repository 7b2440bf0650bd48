"""Defects planted in records and data files, for tests of what notices them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from polytrix.core.game import Game
from polytrix.core.inspection import broken_invariant


def change(s: Any, changes: Mapping[str, Any]) -> None:
    """Write other values into fields.

    Args:
        s: the record.
        changes: by field a value, a function of the old value, or by index or option some of its values.
    """
    for name, value in changes.items():
        if isinstance(value, Mapping):
            for place, number in value.items():
                s[name][place] = number
        else:
            s[name] = value(s[name]) if callable(value) else value


def changed(content: Any, *path: Any, value: Any) -> Any:
    """A copy of a file's content with another value at a place."""
    content = copy.deepcopy(content)
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return content


def broken(game: Game, s: Any, before: Any = None) -> str:
    """The invariant that does not hold, or "" if all do; also for the step from the state before."""
    number = game.check(s if before is None else before, s)
    return broken_invariant(game, number) if number else ""
