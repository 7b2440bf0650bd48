"""No command lets others control the terminal, or minds a closed stream."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from polytrix.cli import screen
from tests.commands import with_sources


def test_consoles_show_what_they_print(capsys: pytest.CaptureFixture[str]) -> None:
    made = screen.table("name \x1b[2J", title="title \x1b[2J")
    made.add_row("cell \x1b[2J")
    for printed in ("text \x1b[2J", made):
        screen.out.print(printed)
    told = capsys.readouterr().out
    assert "\x1b" not in told and told.count(r"\x1") == 4  # a column may be too narrow for more


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX closes the streams")
@pytest.mark.parametrize("closed", ["<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "command", ["play resistor", pytest.param("train quatrix --help", marks=pytest.mark.slow)]
)
def test_a_closed_stream_is_an_empty_one(command: str, closed: str) -> None:
    called = f"{sys.executable} -m polytrix.cli {command} {closed}"
    env, nothing = with_sources(), subprocess.DEVNULL
    ended = subprocess.run(called, shell=True, env=env, stdin=nothing, capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")
