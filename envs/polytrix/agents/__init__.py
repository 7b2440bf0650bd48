"""Policies, which choose actions for seats: built-in ones, saved networks, and any callable."""

from .built_in import HeuristicPolicy, RandomPolicy
from .guided import GuidedSearchPolicy
from .network import NetworkPolicy
from .policy import (
    Policy,
    RememberingPolicy,
    StatePolicy,
    ask,
    ask_rows,
    begin_games,
    name_of,
    reasons,
    worlds,
)
from .population import NoisyPolicy, population
from .resolve import resolve
from .saved import load, save_network
from .search import SearchPolicy

__all__ = [
    "GuidedSearchPolicy",
    "HeuristicPolicy",
    "NetworkPolicy",
    "NoisyPolicy",
    "Policy",
    "RandomPolicy",
    "RememberingPolicy",
    "SearchPolicy",
    "StatePolicy",
    "ask",
    "ask_rows",
    "begin_games",
    "load",
    "name_of",
    "population",
    "reasons",
    "resolve",
    "save_network",
    "worlds",
]
