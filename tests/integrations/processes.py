"""The processes of a run."""

from __future__ import annotations

from pathlib import Path


def descendants(process: int) -> set[int]:
    """A process with all that it and its children have started."""
    parent = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text()
        except OSError:  # it has just ended
            continue
        parent[int(entry.parent.name)] = int(text[text.rindex(")") + 2 :].split()[1])
    found: set[int] = set()
    new = {process}
    while new:
        found |= new
        new = {child for child, its in parent.items() if its in found} - found
    return found
