"""What holds in every state of a game: each invariant is a function, its docstring the text of it.

>>> @invariant
... def the_pile_never_grows(before: Record, s: Record) -> bool:
...     return s.pile <= before.pile
>>> @invariant
... def nobody_wins_twice(before: Record, s: Record) -> bool:
...     '''A7: nobody wins twice.'''
...     return s.wins[0] + s.wins[1] <= 1
>>> invariants_in({"a": the_pile_never_grows, "b": nobody_wins_twice}).texts
('the pile never grows', 'A7: nobody wins twice')

`before` is the state one action or chance outcome earlier; it is `s` itself where no earlier state is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from .state import Record

Holds = TypeVar("Holds", bound=Callable[[Any, Any], bool])

_MARK = "is_invariant"


def invariant(holds: Holds) -> Holds:
    """Declare a function of two states to be an invariant; it returns whether it holds."""
    setattr(holds, _MARK, True)
    return holds


class Invariants(NamedTuple):
    """The invariants of a game, for `Game`."""

    texts: tuple[str, ...]
    check: Callable[[Record, Record], int]
    """The rule `check` in `rules.py`: the number of the first that is broken, from 1; 0 if all hold."""


def invariants_in(names: Mapping[str, Any]) -> Invariants:
    """The invariants among the names of a module, `vars(module)`, in the order in which they stand there.

    Those that it imports count too.
    """
    found = {name: value for name, value in names.items() if hasattr(value, _MARK)}
    # Written out, since the compiler copies functions that are called by their names.
    lines = [f" if not {name}(before, s): return {number}" for number, name in enumerate(found, start=1)]
    made: dict[str, Any] = {"__name__": names.get("__name__", __name__), **found}
    exec("\n".join(["def check(before, s):", *lines, " return 0"]), made)
    return Invariants(tuple(map(_text, found.values())), made["check"])


def _text(holds: Callable[[Any, Any], bool]) -> str:
    """What an invariant says: its docstring in one line, or its name."""
    written = " ".join((holds.__doc__ or "").split()).removesuffix(".")
    return written or holds.__name__.replace("_", " ")
