"""Commands that tests run in processes of their own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path


def run(
    *command: object,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    typed: str | None = None,
    code: int = 0,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """The process of a command that must end with an exit code; `typed` is its standard input."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, input=typed, capture_output=True, text=True, check=False, cwd=cwd, env=env, timeout=timeout
    )
    assert done.returncode == code, f"{' '.join(words)[:200]}\n{done.stdout}\n{done.stderr}"
    return done


def with_sources(**variables: str) -> dict[str, str]:
    """The variables of this process and more, with which new ones import the repository's polytrix."""
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "envs"), **variables}
