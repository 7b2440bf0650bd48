"""Who looks at a position: a seat, nobody at the table, or someone who sees everything."""

from __future__ import annotations

from typing import TypeAlias

SPECTATOR = -1
"""A viewer without a seat, who sees only what every seat knows."""

Viewer: TypeAlias = "int | None"
"""A seat, SPECTATOR, or None, who sees everything."""


def side_of(viewer: Viewer) -> int:
    """The seat from whose side a viewer looks: one without a seat looks from that of seat 0.

    >>> side_of(1), side_of(SPECTATOR), side_of(None)
    (1, 0, 0)
    """
    return 0 if viewer is None or viewer == SPECTATOR else viewer
