"""Agents as programs: they are told a seat's game in JSON lines, and answer with moves; see docs/bots.md."""

from .policy import ProgramPolicy
from .program import Program
from .protocol import VERSION, Talk

__all__ = ["VERSION", "Program", "ProgramPolicy", "Talk"]
