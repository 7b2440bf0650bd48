"""Limits of time and memory for tests: an endless loop fails, also in machine code, and holds nothing up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import MEMORY

ROOT = Path(__file__).parents[1]

ENDLESS = """
import numpy as np
import pytest
from polytrix.core.compile.compiler import Mode, program

def loop(numbers):
    while numbers[0] == 0:
        numbers[1] += 1

run = program(loop, {}, Mode.COMPILED, "endless")
run(np.ones(2, np.int64))  # compiles it

@pytest.mark.timeout(1)
def test_in_machine_code():
    run(np.zeros(2, np.int64))
"""


def test_an_endless_loop_in_machine_code_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYTRIX_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "test_endless.py"
    file.write_text(ENDLESS)
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-p", "no:xdist", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode != 0 and "Timeout" in done.stdout + done.stderr, done


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of memory is Linux's")
def test_no_test_has_all_the_memory() -> None:
    with pytest.raises(MemoryError):
        np.empty(MEMORY, np.uint8)
