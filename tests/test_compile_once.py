"""A test process waits for a program that another one compiles, and loads it."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from polytrix.core.compile.compiler import Mode, program
from tests.compile_once import lock_of, locked, one_compiler


def total(numbers):
    found = 0
    for number in numbers:
        found += number
    return found


def test_a_program_that_another_process_compiles_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POLYTRIX_CACHE", str(tmp_path))
    program(total, {}, Mode.COMPILED, "total")(np.arange(3))
    (file,) = tmp_path.glob("*.program")
    made = file.read_bytes()
    file.unlink()
    again = program(total, {}, Mode.COMPILED, "total")
    with one_compiler(tmp_path.name):
        lock = locked(lock_of(again._cache, tmp_path.name))
        lock.__enter__()

        def finish() -> None:
            file.write_bytes(made)
            lock.__exit__(None, None, None)

        threading.Timer(0.3, finish).start()
        assert again(np.arange(3)) == 3
    assert sum(again.stats.cache_hits.values()) == 1 and not again.stats.cache_misses


def test_the_lock_is_released_once_a_program_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYTRIX_CACHE", str(tmp_path))
    with one_compiler(tmp_path.name):
        made = program(total, {}, Mode.COMPILED, "total")
        assert made(np.arange(3)) == 3
        monkeypatch.setattr("tests.compile_once.time.sleep", lambda seconds: pytest.fail("it is locked"))
        with locked(lock_of(made._cache, tmp_path.name)):
            pass
