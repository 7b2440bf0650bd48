"""Agents against each other: duplicate games, win rates, payoffs and ratings with honest intervals."""

from .contestants import Contestant, contestants
from .summary import summarise
from .tournament import Tournament, play_all

__all__ = ["Contestant", "Tournament", "contestants", "play_all", "summarise"]
