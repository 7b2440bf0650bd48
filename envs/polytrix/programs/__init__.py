"""Agents as programs: they are told a seat's game in JSON lines, and answer with moves; docs/programs.md."""

from .policy import ProgramPolicy

__all__ = ["ProgramPolicy"]
