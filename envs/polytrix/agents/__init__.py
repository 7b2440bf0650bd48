"""Policies: what answers for a seat. Built-in ones, saved networks, and any callable of a user."""

from .built_in import HeuristicPolicy, RandomPolicy
from .network import NetworkPolicy
from .policy import Policy, StatePolicy, ask, ask_rows, name_of, worlds
from .resolve import resolve
from .saved import load, save_network
from .search import SearchPolicy

__all__ = [
    "HeuristicPolicy",
    "NetworkPolicy",
    "Policy",
    "RandomPolicy",
    "SearchPolicy",
    "StatePolicy",
    "ask",
    "ask_rows",
    "load",
    "name_of",
    "resolve",
    "save_network",
    "worlds",
]
