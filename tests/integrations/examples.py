"""Runs what the pages on other libraries show: their Python, and their examples."""

from __future__ import annotations

import re
import shlex
import sys

from tests.commands import run
from tests.pages import ROOT, commands, python_of


def run_python_of(page: str) -> dict[str, object]:
    """Run the Python of docs/PAGE, all blocks in one session; its names."""
    path = ROOT / "docs" / page
    names: dict[str, object] = {}
    exec(compile(python_of(path), str(path), "exec"), names)
    return names


def command_of(page: str, script: str) -> list[str]:
    """The arguments with which docs/PAGE calls an example."""
    (command,) = [
        each for each in commands(ROOT / "docs" / page) if each.startswith(f"python examples/{script}")
    ]
    return shlex.split(command)[2:]


def run_example(script: str, *arguments: str) -> str:
    """What an example prints."""
    return run(sys.executable, ROOT / "examples" / script, *arguments, cwd=ROOT).stdout


def wins_in(output: str) -> tuple[int, int]:
    """Wins against random, in percent, that an example reports before and after training."""
    before, after = re.findall(r"wins against random (?:before|after): (\d+)%", output)
    return int(before), int(after)
