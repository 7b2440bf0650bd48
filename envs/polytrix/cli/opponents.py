"""Agents in the terminal: heuristics and networks need no compiler for one game, a search does."""

from __future__ import annotations

from polytrix.agents import HeuristicPolicy, Policy, resolve
from polytrix.agents.policy import name_of, needs_states
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game

from .screen import err
from .warmup import compile_policy

AGENTS = "random, greedy, ppo, expert, master or search:200 (both compile at first), or a saved network"
"""Names of agents, for help."""


def agent(spec: str, game: Game) -> Policy:
    """The policy that `spec` stands for, see `resolve`. Heuristics run as plain Python.

    Raises:
        PolicyError: as `resolve`.
    """
    policy = resolve(spec, game)
    if isinstance(policy, HeuristicPolicy):
        return HeuristicPolicy(game, policy.name, mode=Mode.PLAIN)
    return policy


class Compiled:
    """The policies of a game that have been compiled, if they must be."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._ready: list[Policy] = []

    def make_ready(self, policy: Policy) -> None:
        """Compile a search before its first choice, and show a message while that takes time."""
        compiles = needs_states(policy)
        if not compiles or any(policy is other for other in self._ready):
            return
        what = f"{name_of(policy)} is being compiled for {self._game.title}; that is kept for the next time ..."
        with err.status(what):
            compile_policy(self._game, policy)
        self._ready.append(policy)
