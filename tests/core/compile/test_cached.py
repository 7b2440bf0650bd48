"""Compiled functions of arrays are kept where programs are, and nowhere else."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from polytrix.core.compile.cached import cached_njit
from polytrix.core.compile.compiler import fingerprint
from tests.commands import run
from tests.pages import ROOT

CALLS = """
import numba.core.caching, numpy as np

def refuse(*arguments):
    raise AssertionError("a cache of Numba's own")

numba.core.caching.Cache.__init__ = refuse
from polytrix.learning import advantages, passes, sparse

one = np.ones(1, np.float32)
print(advantages.estimate(np.array([-1]), one, one, np.float32(1), np.float32(1)))
"""


def defined(source: str, **names: Any) -> FunctionType:
    exec(source, names)
    function: FunctionType = names["function"]
    function.__module__ = __name__
    return function


def test_without_a_home_nothing_is_kept_or_read_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs the extra 'train'")
    work, cache = tmp_path / "work", tmp_path / "cache"
    work.mkdir()
    hidden = ("HOME", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "XDG_CACHE_HOME")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"POLYTRIX_CACHE": str(cache), "PYTHONPATH": str(ROOT / "envs")}
    done = run(sys.executable, "-c", CALLS, cwd=work, env=environment)
    assert done.stdout == "[0.]\n"
    assert [file.name.split("-")[0] for file in cache.iterdir()] == ["estimate"]
    assert list(work.iterdir()) == []


@pytest.mark.usefixtures("empty_cache")
def test_a_kept_function_is_loaded() -> None:
    function = defined("def function(x): return x.sum() + 40")
    for hits in (0, 1):
        compiled = cached_njit(error_model="numpy")(function)
        assert compiled(np.ones(2)) == 42
        assert sum(compiled._cache_hits.values()) == hits


def test_a_change_of_a_called_function_or_of_its_flags_is_another_function() -> None:
    def mark(helper: str, **flags: Any) -> str:
        called = cached_njit(**flags)(defined(helper))
        return fingerprint(defined("def function(x): return helper(x)", helper=called), {})

    one = "def function(x): return x + 1"
    assert mark(one) == mark(one)
    assert len({mark(one), mark("def function(x): return x + 2"), mark(one, fastmath=True)}) == 3


@pytest.mark.usefixtures("empty_cache")
def test_a_called_function_may_be_defined_later() -> None:
    first = defined("def function(x): return helper(x) + 1")
    compiled = cached_njit()(first)
    first.__globals__["helper"] = cached_njit()(defined("def function(x): return x + 1"))
    assert compiled(40) == 42
