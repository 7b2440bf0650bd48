"""Objects that users name: whatever their module does, `imported` returns one or raises ImportError."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from polytrix.core.imports import imported


@pytest.fixture(autouse=True)
def _unchanged_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in an empty folder, with a path of modules that is put back."""
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.chdir(tmp_path)


def module(code: str) -> None:
    """Write the module `own`."""
    Path("own.py").write_text(code, encoding="utf-8")
    sys.modules.pop("own", None)


@pytest.mark.parametrize("path", ["own.py:x", "own:x"])
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def x(:", r"SyntaxError: .*\(own.py, line 1\)"),
        ("x = {}['y']", "KeyError: 'y'"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("y = 1", "AttributeError: .* has no attribute 'x'"),
    ],
    ids=["syntax", "error", "exit", "no name"],
)
def test_what_goes_wrong_in_a_module_is_told(path: str, code: str, told: str) -> None:
    module(code)
    before = sys.path[:]
    with pytest.raises(ImportError, match=told):
        imported(path)
    assert sys.path == before


@pytest.mark.parametrize("path", ["own.py:x", "own:x"])
@pytest.mark.parametrize(
    "code", ["import os; os.chdir('/')", "import sys; del sys.path[0]"], ids=["elsewhere", "off the path"]
)
def test_a_module_may_change_where_it_is(path: str, code: str) -> None:
    module(f"{code}; x = 7")
    before = sys.path[:]
    assert imported(path) == 7
    assert sys.path == before


def test_a_folder_that_is_gone_has_no_modules(tmp_path: Path) -> None:
    tmp_path.rmdir()
    with pytest.raises(ImportError, match="FileNotFoundError"):
        imported("own:x")
