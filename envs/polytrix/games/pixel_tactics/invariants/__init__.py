"""What must hold in every state of every game, and from one state to the next."""

from .checks import INVARIANTS, Broken, check

__all__ = ["INVARIANTS", "Broken", "check"]
