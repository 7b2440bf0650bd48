"""Functions with other tables, and refusal of anything that would keep using the old ones."""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.substitution import with_tables

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


class Unwilling:
    """Raises whatever it is asked for, as some objects of libraries do."""

    def __getattribute__(self, name: str) -> Any:
        raise KeyError(name)


def test_objects_that_refuse_to_be_asked_may_be_used() -> None:
    things = [Unwilling(), weakref.proxy(closing_over(None))]  # the second one refers to nothing any more
    rule = made("def rule(i): return TABLE[i] if THINGS else 0", TABLE=TABLE, THINGS=things)["rule"]
    assert replaced(rule=rule)["rule"](1) == 20


@pytest.mark.parametrize("kind", [ModuleType, lambda name: type("Library", (), {"__module__": name})])
def test_other_packages_are_not_searched(kind: Callable[[str], Any]) -> None:
    library = kind("a_library.part")
    library.read = read
    rule = made("def rule(i): return TABLE[i] if LIBRARY else 0", TABLE=TABLE, LIBRARY=library)["rule"]
    assert replaced(rule=rule)["rule"](1) == 20


def test_a_function_of_polytrix_itself_is_not_searched() -> None:
    inner = made("def inner(): return GAMES", GAMES=[read], __name__="polytrix.core.catalogue")["inner"]
    rule = made("def rule(i): return TABLE[i] if inner else 0", TABLE=TABLE, inner=inner)["rule"]
    assert replaced(rule=rule)["rule"](1) == 20


def test_a_package_that_has_the_table_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = ModuleType("cards")
    vars(cards).update(made("def card(i): return TABLE[i]", TABLE=TABLE, __name__="cards"))
    monkeypatch.setitem(sys.modules, "cards", cards)
    rule = made("def rule(i): return card(i)", card=cards.card, __name__="a_game")["rule"]
    assert replaced(rule=rule)["rule"](1) == 20


# -- errors of a game ---------------------------------------------------------------------


def made(source: str, **names: Any) -> dict[str, Any]:
    """The globals of a module with that source."""
    module: dict[str, Any] = {"__name__": __name__, "functools": functools, **names}
    exec(source, module)
    return module


def holder() -> ModuleType:
    module = ModuleType(f"{__name__}.tables")
    module.TABLE = TABLE  # type: ignore[attr-defined]
    return module


class Method:
    def method(self, i: int) -> int:
        return read(i)


class Owner:
    def __init__(self, table: Any) -> None:
        self.table = table


class Slotted:
    __slots__ = ("table",)

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
        ("def rule(i): return SLOTTED.table[i]", {"SLOTTED": Slotted(TABLE)}, r"SLOTTED \(of type Slotted"),
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
