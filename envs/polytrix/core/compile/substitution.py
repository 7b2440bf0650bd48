"""Copies of functions in which other arrays replace module-level tables.

A function that reads a table, directly or through calls, is copied together with its globals;
all others stay as they are. Anything that would keep reading the old table behind the copies'
back (a view of it, a cached function, a dict, a class) is refused. Packages other than those of the game's
functions and of the modules that have the table are not searched: they cannot know it.
"""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ..data import Table
from .compiler import used_globals

GAMES = "polytrix.games."
"""Where polytrix has code that reads tables; what else it has can only hold those that a game gave it."""


def with_tables(functions: Mapping[str, Any], tables: Sequence[tuple[Table, Table]]) -> dict[str, Any]:
    """The functions, copied where they depend on a replaced table.

    Args:
        functions: plain Python functions by any names. What several of them call is copied once.
        tables: pairs of an array that the functions use as a global, and its replacement.

    Raises:
        TypeError: an error in the game, see above; or a table that no function uses.
    """
    originals = [old for old, _ in tables]
    new: dict[int, Any] = {id(old): other for old, other in tables}
    if len(new) < len(tables):
        raise TypeError("the same table is replaced twice, perhaps by two data files")
    parts, depending = _depending(list(functions.values()), originals)
    copied = [value for value in depending if isinstance(value, FunctionType)]
    new |= {id(function): _copy(function) for function in copied}
    others = {id(value) for value in depending} - new.keys()
    for function in copied:
        for name, part in parts[id(function)].items():
            if id(part) in others:
                raise TypeError(
                    f"{function.__qualname__} reaches a table of a data file through {name} "
                    f"(of type {type(part).__name__}); let it import the table itself, by its name"
                )
            if id(part) in new:
                new[id(function)].__globals__[name] = new[id(part)]
    return {name: new.get(id(function), function) for name, function in functions.items()}


def _copy(function: FunctionType) -> FunctionType:
    """The same function, with a copy of its globals."""
    copy = FunctionType(
        function.__code__,
        dict(function.__globals__),
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__, copy.__doc__ = function.__qualname__, function.__doc__
    return copy


def _depending(roots: list[Any], tables: Sequence[Table]) -> tuple[dict[int, dict[str, Any]], list[Any]]:
    """The parts of everything that the roots consist of, by identity; and all values that contain a table."""
    own = _own_packages(roots, tables)
    parts: dict[int, dict[str, Any]] = {}
    users: defaultdict[int, list[Any]] = defaultdict(list)
    waiting = roots
    while waiting:
        value = waiting.pop()
        if id(value) in parts:
            continue
        parts[id(value)] = _parts(value, tables, own)
        for part in parts[id(value)].values():
            users[id(part)].append(value)
            waiting.append(part)
    found: dict[int, Any] = {}
    for table in tables:
        if not users[id(table)]:
            raise TypeError(
                f"no function of the game uses the table {table!r} of a data file; "
                "each must import it itself, by its name"
            )
    reached: list[Any] = list(tables)
    while reached:
        for user in users[id(reached.pop())]:
            if id(user) not in found:
                found[id(user)] = user
                reached.append(user)
    return parts, list(found.values())


def _own_packages(roots: list[Any], tables: Sequence[Table]) -> tuple[str, ...]:
    """What the names of modules begin with where roots are from, or where a table is."""
    names = {_module(root) for root in roots if isinstance(root, FunctionType)}
    known = {id(table) for table in tables}
    for module in [*sys.modules.values()]:
        if type(module) is ModuleType and not known.isdisjoint(map(id, [*vars(module).values()])):
            names.add(_module(module))
    return tuple({GAMES if name.startswith("polytrix.") else name.split(".")[0] + "." for name in names})


def _parts(value: Any, tables: Sequence[Table], own: tuple[str, ...]) -> dict[str, Any]:
    """The parts of a value that could contain a table, those of a function by name.

    Nothing is asked of objects, some of which would answer by errors: the interpreter tells what they hold.
    """
    kind = type(value)
    if issubclass(kind, np.ndarray):
        if any(value is table for table in tables):
            return {}
        return {f"memory {i}": table for i, table in enumerate(tables) if np.may_share_memory(value, table)}
    if kind is FunctionType:
        cells = tuple(cell.cell_contents for cell in value.__closure__ or ())
        return (used_globals(value) if _module(value).startswith(own) else {}) | {
            "its closure": cells,
            "its defaults": value.__defaults__,
            "its keyword defaults": value.__kwdefaults__,
        }
    if issubclass(kind, (type, ModuleType)) and not _module(value).startswith(own):
        return {}
    return {str(i): part for i, part in enumerate(gc.get_referents(value))}


def _module(value: FunctionType | type | ModuleType) -> str:
    """The name of the module in which something is, and a dot."""
    if isinstance(value, FunctionType):
        return f"{value.__globals__.get('__name__')}."
    return f"{value.__name__ if isinstance(value, ModuleType) else value.__module__}."
