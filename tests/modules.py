"""The modules of the project, by dotted name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = ("envs", "training")


@cache
def modules() -> dict[str, Path]:
    """The files of all modules, also of those that cannot be imported here."""
    found = {}
    for source in SOURCES:
        for file in (ROOT / source).rglob("*.py"):
            parts = file.relative_to(ROOT / source).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found
