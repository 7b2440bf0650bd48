"""Kuhn poker and Leduc poker: games with known equilibria, to check what learns against."""

from __future__ import annotations

from . import kuhn, leduc

__all__ = ["kuhn", "leduc"]
