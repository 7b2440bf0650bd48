"""Invariants: what holds in every state, and from one state to the next."""

from .checks import INVARIANTS, Broken, check

__all__ = ["INVARIANTS", "Broken", "check"]
