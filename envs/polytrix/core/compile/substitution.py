"""Copies of functions in which other arrays replace module-level tables.

A function that reads a table, directly or through calls, is copied together with its globals;
all others stay as they are. Anything that would keep reading the old table behind the copies'
back (a view of it, a cached function, a dict, a class) is refused.
"""

from __future__ import annotations

import sys
import weakref
from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ..data import Table
from .compiler import used_globals

_FOREIGN = sys.stdlib_module_names | {"numpy", "numba", "torch"}
"""Packages that cannot contain a game's tables."""


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
    parts: dict[int, dict[str, Any]] = {}
    users: defaultdict[int, list[Any]] = defaultdict(list)
    waiting = roots
    while waiting:
        value = waiting.pop()
        if id(value) in parts:
            continue
        parts[id(value)] = _parts(value, tables)
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


def _parts(value: Any, tables: Sequence[Table]) -> dict[str, Any]:
    """The parts of a value, by name, that could contain a table."""
    if type(value) in weakref.ProxyTypes:  # it keeps nothing, and what it stood for may be gone
        return {}
    if isinstance(value, np.ndarray):
        if any(value is table for table in tables):
            return {}
        return {f"memory {i}": table for i, table in enumerate(tables) if np.may_share_memory(value, table)}
    if isinstance(value, (list, tuple, set, frozenset)):
        return {str(i): item for i, item in enumerate(value)}
    if isinstance(value, dict):
        return {str(key): item for key, item in value.items()}
    try:  # not by getattr: some objects of libraries raise errors of their own for names that they lack
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        own = {}
    names = ("fget", "func", "__func__")  # of a property, ...; some objects answer to any name, or raise
    inside = {name: getattr(value, name, None) for name in names if name in own or hasattr(type(value), name)}
    module = str(getattr(value, "__module__", None) or getattr(value, "__name__", ""))
    if module.split(".")[0] in _FOREIGN:
        return inside
    # polytrix itself reads no game's table, but can hold one that a game gave it
    framework = module.startswith("polytrix.") and not module.startswith("polytrix.games.")
    if framework and isinstance(value, (type, ModuleType)):
        return {}
    if isinstance(value, FunctionType):
        cells = tuple(cell.cell_contents for cell in value.__closure__ or ())
        return ({} if framework else used_globals(value)) | {
            "its closure": cells,
            "its defaults": value.__defaults__,
            "its keyword defaults": value.__kwdefaults__,
        }
    # a module, a class, an object, a cached function
    return inside | {"its class": type(value)} | dict(own)
