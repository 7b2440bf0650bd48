"""Functions with other tables, and refusal of anything that would keep using the old ones."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.substitution import with_tables
from polytrix.core.game import Game

TABLE = np.array([1, 2, 3])
OTHER = np.array([10, 20])
UNUSED = np.array([0])


def read(i: int) -> int:
    return int(TABLE[i])


def twice(i: int) -> int:
    return 2 * read(i)


def listed(*, start: int = 0) -> str:
    """All entries."""
    return ",".join(str(read(i)) for i in range(start, len(TABLE)))


def count_down(i: int) -> int:
    return read(i) + count_up(i)


def count_up(i: int) -> int:
    return 0 if i == 0 else count_down(i - 1)


def plain(i: int) -> int:
    return i


def replaced(**functions: Any) -> dict[str, Any]:
    return with_tables(functions, [(TABLE, OTHER)])


def test_functions_read_the_new_table_and_the_old_ones_the_old() -> None:
    new = replaced(read=read, twice=twice, listed=listed)
    assert (new["read"](0), new["twice"](1), new["listed"](), new["listed"](start=1)) == (10, 40, "10,20", "20")
    assert (read(0), twice(1), listed()) == (1, 4, "1,2,3")
    assert new["twice"].__globals__["read"] is new["read"]
    assert new["listed"].__qualname__ == "listed" and new["listed"].__doc__ == "All entries."


def test_what_does_not_read_it_stays() -> None:
    new = replaced(read=read, plain=plain)
    assert new["plain"] is plain


def test_functions_may_call_each_other_in_circles() -> None:
    assert replaced(count=count_down)["count"](1) == 30


def test_a_table_may_be_used_under_another_name() -> None:
    assert replaced(rule=made("def rule(i): return ALIAS[i]", ALIAS=TABLE)["rule"])["rule"](1) == 20


class Answering:
    """Answers to no name at all, and not by an AttributeError."""

    def __getattr__(self, name: str) -> Any:
        raise KeyError(name)


class Unwilling:
    """Has no `__dict__` and refuses to be asked for it, as some objects of libraries do."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name) if name == "__dict__" else AttributeError(name)


class Closed:
    """Shows nothing of itself."""

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        raise KeyError


@pytest.mark.parametrize(
    "things",
    [Unwilling(), Answering(), [weakref.proxy(Answering())]],
    ids=["no __dict__", "no names", "reference to what is gone"],
)
def test_objects_that_refuse_to_be_asked_are_no_trouble(things: Any) -> None:
    rule = made("def rule(i): return TABLE[i] if things else 0", TABLE=TABLE, things=things)["rule"]
    assert replaced(rule=rule)["rule"](1) == 20


def test_what_polytrix_itself_uses_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polytrix.core.game.replace", Closed())
    rule = made("def rule(i): return TABLE[i] if Game else 0", TABLE=TABLE, Game=Game)["rule"]
    assert replaced(rule=rule)["rule"](1) == 20


# -- errors of a game ---------------------------------------------------------------------


def made(source: str, **names: Any) -> dict[str, Any]:
    """The globals of a module with that source."""
    module: dict[str, Any] = {"__name__": "a_game", "functools": functools, **names}
    exec(source, module)
    return module


def holder() -> ModuleType:
    module = ModuleType("a_game.tables")
    module.TABLE = TABLE  # type: ignore[attr-defined]
    return module


class Method:
    def method(self, i: int) -> int:
        return read(i)


class Owner:
    def __init__(self, table: Any) -> None:
        self.table = table


class Property:
    @property
    def first(self) -> int:
        return read(0)


class Static:
    @staticmethod
    def static(i: int) -> int:
        return read(i)


def closing_over(table: Any) -> Callable[[int], int]:
    def inner(i: int) -> int:
        return int(table[i])

    return inner


@pytest.mark.parametrize(
    ("source", "names", "through"),
    [
        ("def rule(i): return ROW[i]", {"ROW": TABLE[:2]}, r"ROW \(of type ndarray"),
        ("def rule(i): return KEPT[0][i]", {"KEPT": [TABLE]}, r"KEPT \(of type list"),
        ("def rule(i): return KEPT['a'](i)", {"KEPT": {"a": read}}, r"KEPT \(of type dict"),
        ("def rule(i): return KEPT[0][1][i]", {"KEPT": (1, (2, TABLE))}, r"KEPT \(of type tuple"),
        ("def rule(i): return cached(i)", {"cached": functools.cache(read)}, r"cached \(of type _lru_cache"),
        ("def rule(i): return part()", {"part": functools.partial(read, 0)}, r"part \(of type partial"),
        ("def rule(i): return tables.TABLE[i]", {"tables": holder()}, r"tables \(of type module"),
        ("def rule(i): return Method().method(i)", {"Method": Method}, r"Method \(of type type"),
        ("def rule(i): return READER.method(i)", {"READER": Method()}, r"READER \(of type Method"),
        ("def rule(i): return Property().first", {"Property": Property}, r"Property \(of type type"),
        ("def rule(i): return Static.static(i)", {"Static": Static}, r"Static \(of type type"),
        ("def rule(i): return OWNER.table[i]", {"OWNER": Owner(TABLE)}, r"OWNER \(of type Owner"),
        ("def rule(i): return inner(i)", {"inner": closing_over(TABLE)}, "inner reaches .* its closure"),
        ("def rule(i, table=TABLE): return table[i]", {"TABLE": TABLE}, "its defaults"),
        ("def rule(i, *, table=TABLE): return table[i]", {"TABLE": TABLE}, "its keyword defaults"),
    ],
)
def test_what_would_go_on_with_the_old_table_is_refused(
    source: str, names: dict[str, Any], through: str
) -> None:
    with pytest.raises(TypeError, match=through):
        replaced(rule=made(source, **names)["rule"])


def test_a_table_that_nothing_uses_is_refused() -> None:
    with pytest.raises(TypeError, match=r"no function of the game uses the table array\(\[0\]\)"):
        with_tables({"read": read}, [(TABLE, OTHER), (UNUSED, OTHER)])


def test_a_table_that_only_shares_memory_with_a_used_one_is_refused() -> None:
    with pytest.raises(TypeError, match="no function of the game uses the table"):
        with_tables({"read": read}, [(TABLE, OTHER), (TABLE[:2], OTHER)])


def test_a_table_that_is_replaced_twice_is_refused() -> None:
    with pytest.raises(TypeError, match="the same table is replaced twice"):
        with_tables({"read": read}, [(TABLE, OTHER), (TABLE, OTHER)])
