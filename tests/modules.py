"""The modules of the project, by dotted name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = {"envs": "", "training": "polytrix.training."}
"""Folders, and what the names of their modules begin with. The second one is linked from the first."""


@cache
def modules() -> dict[str, Path]:
    """The files of all modules, also of those that cannot be imported here."""
    found = {}
    for source, prefix in SOURCES.items():
        for file in (ROOT / source).rglob("*.py"):
            name = prefix + ".".join(file.relative_to(ROOT / source).with_suffix("").parts)
            found[name.removesuffix("__init__").removesuffix(".")] = file
    return found
