"""A program is optimised as one piece, whatever its functions call; its user is told how long that takes."""

from __future__ import annotations

import re
import threading
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile import progress
from polytrix.core.compile.compiler import Mode, program
from polytrix.core.compile.progress import CompileProgress

TABLE = np.arange(10, 20)


def shared(x: int) -> int:
    return int(x) * 7 + int(TABLE[x])


def never_called(x: int) -> int:
    return shared(x) + 1


def called_later(x: int) -> int:
    return shared(x) + 2


def rule(x: int) -> int:
    if x * 0 > 5:  # LLVM removes this call, and with it the only user so far of `shared`
        return never_called(x)
    return called_later(x)


def driver(values: Any) -> int:
    total = 0
    for x in values:
        total += rule(x)
    return total


@pytest.mark.usefixtures("empty_cache")
@pytest.mark.parametrize("mode", Mode)
def test_a_function_used_by_removed_code_first_is_still_there(mode: Mode) -> None:
    assert program(driver, {}, mode, "test")(np.arange(5)) == driver(np.arange(5))


@pytest.mark.usefixtures("empty_cache")
def test_functions_have_no_machine_code_of_their_own() -> None:
    made: Any = program(driver, {}, Mode.COMPILED, "test")
    made(np.arange(5))
    (whole,) = made.overloads.values()
    part = made.py_func.__globals__["rule"]
    (lowered,) = part.overloads.values()
    assert whole.library.get_pointer_to_function(whole.fndesc.llvm_cpython_wrapper_name)
    with pytest.raises(NameError):
        whole.library.get_function("no such function")
    assert not lowered.library._codegen._engine.is_symbol_defined(lowered.fndesc.llvm_cpython_wrapper_name)


# -- the progress report ------------------------------------------------------------------------


class Part:
    """What a progress report asks of a dispatcher."""

    def __init__(self, *overloads: str) -> None:
        self.overloads = overloads


class Stream:
    """A console that tells when it has three reports."""

    def __init__(self, terminal: bool) -> None:
        self.terminal, self.written, self.reports, self.three = terminal, "", 0, threading.Event()

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> None:
        self.written += text
        self.reports += "compiling" in text
        if self.reports == 3:
            self.three.set()

    def flush(self) -> None: ...


@pytest.mark.parametrize("terminal", [False, True])
def test_a_slow_program_is_named_with_its_share_and_the_time_left(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a log line by line; a terminal shows the newest report only."""
    stream = Stream(terminal)
    for name in ("stderr", "__stderr__"):
        monkeypatch.setattr(f"sys.{name}", stream)
    for name in ("QUIET", "LINE_INTERVAL", "LIVE_INTERVAL"):
        monkeypatch.setattr(progress, name, 0.01)
    report = CompileProgress("toy: step", [Part(), Part(), Part("compiled before")])
    report.begin()
    progress.part_done()
    stream.reports = 0  # what comes from now on knows of it, but for one
    stream.three.clear()
    assert stream.three.wait(60)
    report.end()
    *going_on, end = filter(None, re.split(r"\r|\n|\x1b\[K", stream.written))
    assert stream.written.count("\n") == (1 if terminal else len(going_on) + 1)
    told = r"polytrix: compiling toy: step, once on this machine: (0%|40%, about \d+ s left)"
    assert all(re.fullmatch(told, each) for each in going_on) and "40%" in going_on[-1]
    assert re.fullmatch(r"polytrix: compiled toy: step in \d+ s", end)
    progress.part_done()  # of nobody


def test_a_failed_compilation_ends_its_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        report.begin()
        raise TypeError("no such field")

    report = CompileProgress("toy: step", [])
    with pytest.raises(TypeError, match="no such field"), report:
        fail()
    assert progress._current is None
    assert capsys.readouterr() == ("", "")
