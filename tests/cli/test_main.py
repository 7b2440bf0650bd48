"""The entry point, in new processes."""

from __future__ import annotations

import sys

import pytest

import polytrix
from tests.commands import run


@pytest.mark.parametrize("missing", ["typer", "rich", "prompt_toolkit"])
def test_without_the_extra_there_is_one_clear_line(missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from polytrix.cli import main; main()"
    done = run(sys.executable, "-c", code, code=2)
    assert done.stderr == "error: the command line needs an optional extra: pip install 'polytrix[cli]'\n"
    assert done.stdout == ""


def test_as_a_module() -> None:
    shown = run(sys.executable, "-m", "polytrix.cli", "--version").stdout
    assert shown == f"polytrix {polytrix.__version__}\n"
