"""Rules become programs, and no program outlives the rules it was made from."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite.binding.ffi import register_lock_callback, unregister_lock_callback

from polytrix.core import drivers, layout
from polytrix.core.compile import programs as compile_programs
from polytrix.core.compile.compiler import Mode, RuleError, direct_call, fingerprint, program
from polytrix.core.compile.programs import forget_programs, programs
from polytrix.core.random import draw
from polytrix.core.rules import apply, redeal
from polytrix.core.state import new_records
from tests.commands import run
from tests.toys import SECRET


def placeholder(x: int) -> int:
    raise NotImplementedError


def driver(values: Any) -> int:
    total = 0
    for x in values:
        total += placeholder(x)
    return total


def add_one(x: int) -> int:
    return x + 1


def made(rule: Callable[..., int], mode: Mode) -> Callable[..., Any]:
    return program(driver, {placeholder: rule}, mode, "test")


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.usefixtures("empty_cache")
def test_the_placeholder_is_replaced(mode: Mode) -> None:
    assert made(add_one, mode)(np.arange(4)) == 10
    with pytest.raises(NotImplementedError):
        driver(np.arange(4))  # the original is untouched


@pytest.mark.usefixtures("empty_cache")
def test_a_direct_call_waits_for_the_thread_that_compiles() -> None:
    """A program can be called a moment before Numba has noted its entry point."""
    compiled, callable_now, looked = made(add_one, Mode.COMPILED), threading.Event(), threading.Event()

    class SlowNotes(dict[Any, Any]):
        def __setitem__(self, key: Any, value: Any) -> None:
            callable_now.set()
            assert looked.wait(timeout=60)
            super().__setitem__(key, value)

    compiled.overloads = SlowNotes()
    other = threading.Thread(target=compiled, args=(np.arange(4),))
    other.start()
    assert callable_now.wait(timeout=60)
    assert compiled(np.arange(4)) == 10 and not compiled.overloads
    looked.set()
    assert direct_call(compiled)(np.arange(4)) == 10
    other.join()


@pytest.mark.usefixtures("empty_cache")
def test_an_interrupt_stops_no_compilation_halfway() -> None:
    """It would leave a lock behind for which all other threads wait."""
    compiled = made(add_one, Mode.COMPILED)
    signals = iter([signal.SIGTERM])  # once LLVM's lock has been taken
    hooks = lambda: [signal.raise_signal(each) for each in signals], lambda: None

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    register_lock_callback(*hooks)
    try:
        with pytest.raises(KeyboardInterrupt):
            compiled(np.arange(4))
        assert signal.getsignal(signal.SIGTERM) is interrupt
    finally:
        unregister_lock_callback(*hooks)
        signal.signal(signal.SIGTERM, before)
    totals = list[int]()
    other = threading.Thread(target=lambda: totals.append(compiled(np.arange(4, dtype=np.int32))), daemon=True)
    other.start()
    other.join(timeout=60)
    assert totals == [10]


# -- the cache ----------------------------------------------------------------------------


def test_threads_that_begin_together_have_the_same_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise one may call a program of its own, and then take the machine code of another's."""

    def slow(*given: Any, **named: Any) -> Callable[[], None]:
        time.sleep(0.05)
        return lambda: None

    monkeypatch.setattr(compile_programs, "program", slow)
    forget_programs()
    together, found = threading.Barrier(4), list[tuple[Any, Any]]()

    def begin() -> None:
        together.wait()
        mine = programs(SECRET, Mode.CHECKED)
        found.append((mine, mine.step))

    threads = [threading.Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    forget_programs()
    assert len(found) == 4 and len({id(mine) for mine, _ in found}) == len({id(step) for _, step in found}) == 1


def test_bounds_checks_are_part_of_the_cache_name(empty_cache: Path) -> None:
    for mode in (Mode.COMPILED, Mode.CHECKED):
        assert made(add_one, mode)(np.arange(3)) == 6
    for mode in ("compiled", "checked"):
        assert len(list(empty_cache.glob(f"driver-{mode}-*.program"))) == 1


LONG = "\n".join(f"    total += TABLE[(x * total + {k}) % len(TABLE)] << total % {k + 2}" for k in range(12))


def print_total(*table: int) -> None:
    """A number that depends on the table, from a program compiled for that table."""
    long = f"def rule(x):  # too long to be inlined\n    total = 0\n{LONG}\n    return total"
    print(made(made_from(long, TABLE=np.array(table)), Mode.COMPILED)(np.arange(len(table))))


def test_programs_of_different_processes_do_not_run_each_other(tmp_path: Path) -> None:
    """Programs compiled in two processes may meet in a third; functions of equal names would clash there."""

    def totals(*tables: str) -> str:
        calls = "; ".join(f"print_total({table})" for table in tables)
        code = f"from tests.core.compile.test_compiler import print_total; {calls}"
        return run(sys.executable, "-c", code, env=os.environ | {"POLYTRIX_CACHE": str(tmp_path)}).stdout

    one, other = totals("1,2"), totals("3,4")
    assert one != other
    kept = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert totals("1,2", "3,4") == one + other
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == kept, "compiled anew"


def test_a_program_imports_no_other_copy_of_its_module(tmp_path: Path) -> None:
    """A game may be imported as `mine` and as `folder.mine`; each process knows it by one of these names."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine.py").write_text("def rule(x): return x + 1")
    code = """if True:
        from tests.core.compile.test_compiler import *
        from {} import rule
        print(made(rule, Mode.COMPILED)(np.arange(4)))
        print([name for name in sys.modules if "mine" in name.split(".")])
    """
    places = [str(tmp_path), str(tmp_path / "folder"), *sys.path]
    environment = os.environ | {"POLYTRIX_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join(places)}
    for name in ("folder.mine", "mine"):
        assert run(sys.executable, "-c", code.format(name), env=environment).stdout == f"10\n['{name}']\n"


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("POLYTRIX_CACHE", str(tmp_path / "file" / "below"))
    assert made(add_one, Mode.COMPILED)(np.arange(3)) == 6


# -- the fingerprint ----------------------------------------------------------------------


def of(source: str, **names: Any) -> str:
    """The fingerprint of the driver with a rule `rule` made from `source`."""
    return fingerprint(driver, {placeholder: made_from(source, **names)})


def made_from(source: str, **names: Any) -> Callable[..., int]:
    """The function `rule` of a module with that source."""
    module: dict[str, Any] = {"np": np, **names}
    exec(source, module)
    rule: Callable[..., int] = module["rule"]
    return rule


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def rule(x): return x + 1", "def rule(x): return x - 1"),
        ("def rule(x): return x + 1", "def rule(x): return x + 2"),
        ("def rule(x): return x * 1 + 23", "def rule(x): return x * 12 + 3"),
        ("def rule(x): return (x, 1) == (1, x)", "def rule(x): return (x, 1) == (x, 1)"),
        ("def rule(x, y=1): return x + y", "def rule(x, y=2): return x + y"),
        ("K = 1\ndef rule(x): return x + K", "K = 2\ndef rule(x): return x + K"),
        ("K = 1\ndef rule(x): return x + K", "K = 1.0\ndef rule(x): return x + K"),
        ("K = (1, 23)\ndef rule(x): return K[x]", "K = (12, 3)\ndef rule(x): return K[x]"),
        ("K = (1, (2, 3))\ndef rule(x): return len(K)", "K = (1, 2, 3)\ndef rule(x): return len(K)"),
        ("K = np.array([1, 2])\ndef rule(x): return K[x]", "K = np.array([1, 3])\ndef rule(x): return K[x]"),
        (
            "K = np.array([1, 2], np.int8)\ndef rule(x): return K[x]",
            "K = np.array([1, 2], np.int16)\ndef rule(x): return K[x]",
        ),
        (
            "K = np.array([[1, 2]])\ndef rule(x): return K[0, x]",
            "K = np.array([[1], [2]])\ndef rule(x): return K[0, x]",
        ),
        (
            "def f(x): return x\ndef rule(x): return f(x)",
            "def f(x): return -x\ndef rule(x): return f(x)",
        ),
        (
            "def f(x): return x\ndef g(x): return f(x)\ndef rule(x): return g(x)",
            "def f(x): return -x\ndef g(x): return f(x)\ndef rule(x): return g(x)",
        ),
        (
            "def f(x): return x\ndef g(x): return -x\ndef rule(x): return f(x) + 2 * g(x)",
            "def f(x): return -x\ndef g(x): return x\ndef rule(x): return f(x) + 2 * g(x)",
        ),
        (
            "import math as m\ndef rule(x): return m.floor(x)",
            "import numpy as m\ndef rule(x): return m.floor(x)",
        ),
        (
            "from math import floor as f\ndef rule(x): return f(x)",
            "from numpy import floor as f\ndef rule(x): return f(x)",
        ),
        ("def rule(x): return abs(x)", "def rule(x): return len(x)"),
    ],
)  # fmt: skip
def test_different_rules_have_different_fingerprints(one: str, other: str) -> None:
    assert of(one) == of(one)
    assert of(one) != of(other)


def test_a_change_in_another_module_is_another_fingerprint() -> None:
    def marked(deeper: str) -> str:
        helper = made_from("def rule(x): return deeper(x)", deeper=made_from(f"def rule(x): return {deeper}"))
        return of("def rule(x): return helper(x)", helper=helper)

    assert marked("x + 1") == marked("x + 1") != marked("x + 2")


def test_the_fingerprint_does_not_depend_on_where_or_when(tmp_path: Path) -> None:
    source = "K = np.arange(3)\ndef rule(x): return K[x]"
    assert of(source) == of("\n\n# moved\n" + source)
    assert fingerprint(driver, {placeholder: add_one}) == fingerprint(driver, {placeholder: add_one})
    assert fingerprint(driver, {placeholder: add_one}, "flags") != fingerprint(driver, {placeholder: add_one})


def test_enumerations_are_part_of_the_fingerprint() -> None:
    source = "from enum import IntEnum\nclass E(IntEnum):\n  A = {}\ndef rule(x): return x + E.A"
    assert of(source.format(1)) != of(source.format(2))


# -- functions of several programs ---------------------------------------------------------


def called_by(program: Any) -> dict[str, Any]:
    """The compiled functions that a program calls."""
    return {name: value for name, value in program.py_func.__globals__.items() if hasattr(value, "py_func")}


def other_driver(values: Any) -> int:
    return placeholder(len(values))


@pytest.mark.usefixtures("empty_cache")
def test_programs_share_the_functions_that_they_call() -> None:
    one = program(driver, {placeholder: add_one}, Mode.COMPILED, "one")
    other = program(other_driver, {placeholder: add_one}, Mode.COMPILED, "other")
    assert one(np.arange(4)) == 10 and other(np.arange(4)) == 5
    shared = called_by(one)["placeholder"]
    assert shared is called_by(other)["placeholder"]
    assert len(shared.signatures) == 1  # compiled once


def test_functions_are_shared_by_content_and_not_by_name() -> None:
    table = "K = np.array([1, {}])\ndef f(x): return K[x]\ndef rule(x): return f(x) + 1"
    one, same, other = (made(made_from(table.format(last)), Mode.COMPILED) for last in (2, 2, 3))
    rules = [called_by(each)["placeholder"] for each in (one, same, other)]
    assert rules[0] is rules[1] and rules[0] is not rules[2]
    assert called_by(rules[0])["f"] is not called_by(rules[2])["f"]
    assert [each(np.arange(2)) for each in (one, same, other)] == [5, 5, 6]


def test_checked_and_unchecked_functions_are_not_shared() -> None:
    modes = (Mode.COMPILED, Mode.CHECKED)
    one, other = (called_by(made(add_one, mode))["placeholder"] for mode in modes)
    assert one is not other


# -- refusals -----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", Mode)
def test_rules_must_not_recurse(mode: Mode) -> None:
    rule = made_from("def rule(x): return rule(x - 1) if x else 0")
    with pytest.raises(RuleError, match="must not recurse"):
        made(rule, mode)


def test_a_field_may_be_called_like_a_function() -> None:
    rule = made_from("def real(x): return rule(x)\ndef rule(x): return x.real + 1")  # calls nothing
    assert program(driver, {placeholder: rule}, Mode.PLAIN, "test")(np.arange(4)) == 10


def test_rules_must_not_be_closures() -> None:
    step = len("ab")

    def rule(x: int) -> int:
        return x + step

    with pytest.raises(RuleError, match="is a closure"):
        made(rule, Mode.PLAIN)


@pytest.mark.parametrize("mode", Mode)
def test_rules_must_be_plain_functions(mode: Mode) -> None:
    with pytest.raises(RuleError, match="not a plain Python function"):
        made(np.abs, mode)


def test_a_table_reached_through_a_module_is_refused() -> None:
    """It would be baked into the program, but missing from the fingerprint."""
    with pytest.raises(RuleError, match=r"polytrix\.core\.layout"):
        of("def rule(x): return layout.SIZE", layout=layout)


def test_a_helper_compiled_by_somebody_else_is_refused() -> None:
    """Its code would be baked into the program, but missing from the fingerprint."""
    with pytest.raises(RuleError, match="compiled already"):
        made(made_from("def rule(x): return helper(x)", helper=numba.njit(add_one)), Mode.COMPILED)


def listing(s: Any, action: int) -> None:
    piles = [1, 2, 3]
    s.pile += piles[action]


def drawing_from_the_state(s: Any, seat: int) -> None:
    s.pile = draw(s, 6)


def misspelling(s: Any, action: int) -> None:
    s.pill = 1


@pytest.mark.parametrize(
    ("loop", "rule", "message"),
    [
        (drivers.advance, {apply: listing}, r"listing, .* does not compile: NRT.*\.py:\d+.*no lists"),
        (drivers.redeal_rows, {redeal: drawing_from_the_state}, r"draw, called by drawing.* no field 'key'"),
        (drivers.advance, {apply: misspelling}, r"misspelling, .* does not compile: .*no field 'pill'"),
    ],
)
def test_a_rule_that_does_not_compile_is_named_in_a_few_lines(
    loop: Any, rule: dict[Any, Any], message: str
) -> None:
    states, numbers = new_records(1, SECRET.state).view(np.ndarray), np.zeros(1, np.int64)
    run = program(loop, SECRET.replacements | rule, Mode.COMPILED, "test")
    with pytest.raises(RuleError, match=message) as raised:
        run(states, *[numbers] * (loop.__code__.co_argcount - 1))
    assert len(str(raised.value)) < 600


# -- programs of a game -------------------------------------------------------------------


def test_programs_are_shared_by_game_and_mode() -> None:
    assert programs(SECRET, Mode.PLAIN) is programs(SECRET, Mode.PLAIN)
    assert programs(SECRET, Mode.PLAIN) is not programs(SECRET, Mode.COMPILED)
    assert isinstance(programs(SECRET, Mode.PLAIN).step, FunctionType)
    with pytest.raises(AttributeError):
        _ = programs(SECRET, Mode.PLAIN).no_driver
