"""Runs what the pages on other libraries show: their Python, and their commands."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run_python_of(page: str) -> dict[str, object]:
    """Run the Python blocks of docs/PAGE one after the other in one session; its names."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    return names


def command_of(page: str, script: str) -> list[str]:
    """The arguments with which docs/PAGE calls an example."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (command,) = re.findall(rf"```console\n(python examples/{script}.*?)\n```", text)
    return shlex.split(command)[2:]


def run_example(script: str, *arguments: str) -> str:
    """What an example prints."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def wins_in(output: str) -> tuple[int, int]:
    """Wins against random, in percent, that an example reports before and after training."""
    before, after = re.findall(r"wins against random (?:before|after): (\d+)%", output)
    return int(before), int(after)
