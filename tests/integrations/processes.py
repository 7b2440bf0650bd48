"""The processes of a run, and waiting for what they do."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable

SECONDS = 900
"""The longest wait."""


def descendants(process: int) -> set[int]:
    """A process with all that it and its children have started."""
    import psutil  # not in the environments of all libraries

    try:
        return {process, *(each.pid for each in psutil.Process(process).children(recursive=True))}
    except psutil.NoSuchProcess:  # it has just ended
        return {process}


def until(what: str, happens: Callable[[], object], run: subprocess.Popen[str] | None = None) -> None:
    """Wait for something that a run does."""
    last = time.monotonic() + SECONDS
    while not happens():
        assert run is None or run.poll() is None, f"the run ended before {what}: {run.communicate()}"
        assert time.monotonic() < last, f"no {what} in {SECONDS} s"
        time.sleep(0.1)
