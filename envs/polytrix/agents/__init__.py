"""Policies: what answers for a seat. Built-in ones, saved networks, and any callable of a user."""

from .built_in import HeuristicPolicy, RandomPolicy
from .network import NetworkPolicy
from .policy import Policy, ask, name_of
from .resolve import resolve
from .saved import load, save_network

__all__ = [
    "HeuristicPolicy",
    "NetworkPolicy",
    "Policy",
    "RandomPolicy",
    "ask",
    "load",
    "name_of",
    "resolve",
    "save_network",
]
