"""A program is optimised as one piece, whatever its functions call; its user is told how long that takes."""

from __future__ import annotations

import re
import time
from pathlib import Path
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


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYTRIX_CACHE", str(tmp_path))


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


def test_a_quick_program_is_compiled_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    report = CompileProgress("toy: step", [Part()])
    report.begin()
    report.end()
    assert capsys.readouterr() == ("", "")


def test_a_slow_program_is_named_with_its_share_and_the_time_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "QUIET", 0.05)
    monkeypatch.setattr(progress, "LINE_INTERVAL", 0.05)
    report = CompileProgress("toy: step", [Part(), Part(), Part("compiled before")])
    report.begin()
    progress.part_done()
    time.sleep(0.3)
    report.end()
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert len(lines) >= 3  # it goes on
    for line in lines[:-1]:
        assert re.fullmatch(r"polytrix: compiling toy: step, once on this machine: 40%, about 1 s left", line)
    assert re.fullmatch(r"polytrix: compiled toy: step in \d+ s", lines[-1])
    progress.part_done()  # of nobody


def test_a_failed_compilation_ends_its_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        report.begin()
        raise TypeError("no such field")

    report = CompileProgress("toy: step", [])
    with pytest.raises(TypeError, match="no such field"):
        progress.with_progress(fail, report)()
    assert progress._current is None
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_the_newest_report_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal:
        written = ""

        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> None:
            self.written += text

        def flush(self) -> None: ...

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr("sys.__stderr__", terminal)
    monkeypatch.setattr(progress, "QUIET", 0.01)
    monkeypatch.setattr(progress, "LIVE_INTERVAL", 0.01)
    report = CompileProgress("toy: step", [Part()])
    report.begin()
    time.sleep(0.2)
    report.end()
    assert terminal.written.count("\n") == 1
    assert terminal.written.count("\rpolytrix: compiling toy: step") > 1
