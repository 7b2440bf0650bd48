"""A server in a process of its own, which can be killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.commands import with_sources


@contextmanager
def process(folder: Path, port: int = 0, *more: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A server that keeps its games in a folder, its address and its key; it is killed in the end."""
    command = [sys.executable, "-u", "-m", "polytrix.cli", "table", "--no-open", "--port", str(port), *more]
    environment = with_sources(POLYTRIX_DATA=str(folder))
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address, _, key = server.stdout.readline().split()[-1].partition("/#key=")
            yield server, address, key
        finally:
            server.kill()
