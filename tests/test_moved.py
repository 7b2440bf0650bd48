"""Modules that have moved can be imported under their old paths."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import polytrix
from polytrix.core.errors import MissingExtraError
from polytrix.moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_the_old_path_leads_to_the_module(old: str) -> None:
    sys.modules.pop(old, None)
    try:
        new = import_module(MOVED[old])
    except (MissingExtraError, ImportError) as error:
        pytest.skip(f"needs a library: {error}")
    with pytest.warns(DeprecationWarning, match=f"{old} is {MOVED[old]} now"):
        assert import_module(old) is new
    assert new.__spec__ is not None
    assert new.__spec__.name == MOVED[old]


@pytest.mark.parametrize("old", MOVED)
def test_nothing_stands_under_an_old_path(old: str) -> None:
    path = Path(polytrix.__file__).parent.joinpath(*old.split(".")[1:])
    assert not path.with_suffix(".py").exists()
    assert not (path / "__init__.py").exists()


def test_names_are_imported_from_an_old_path() -> None:
    code = (
        "from polytrix.core.record import Field; from polytrix.core.state import Field as F; assert F is Field"
    )
    subprocess.run([sys.executable, "-W", "error::ImportWarning", "-c", code], check=True)


def test_what_never_existed_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("polytrix.api.nothing")
