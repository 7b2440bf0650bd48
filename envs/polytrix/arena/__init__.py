"""Tournaments of agents: duplicate games, win rates, payoffs and ratings, with confidence intervals."""

from .contestants import Contestant, contestants
from .sequential import Verdict, sprt
from .summary import summarise
from .tournament import Tournament, play_all

__all__ = ["Contestant", "Tournament", "Verdict", "contestants", "play_all", "sprt", "summarise"]
