"""Agents for one game: heuristics and networks need no compiler, a search does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from polytrix.agents import HeuristicPolicy, Policy, ask_rows, begin_games, resolve
from polytrix.agents.resolve import PolicySpec
from polytrix.core.catalogue import find_exactly
from polytrix.core.compile.compiler import Mode
from polytrix.core.game import Game
from polytrix.core.simulator import Simulator

AGENTS = "random, greedy, ppo, expert, master or search:200 (both compile at first), or a saved network"
"""Names of agents, for help."""


def agent(spec: PolicySpec, game: Game) -> Policy:
    """The policy that `spec` stands for, see `resolve`. Heuristics run as plain Python.

    Raises:
        PolicyError: as `resolve`.
    """
    policy = resolve(spec, game)
    if isinstance(policy, HeuristicPolicy):
        return HeuristicPolicy(game, policy.name, mode=Mode.PLAIN)
    return policy


def compile_agent(game: str, data: Mapping[str, Any], agent: str) -> None:
    """Compile what a policy needs in a game, which is named by its id and data files, into the cache."""
    found = find_exactly(game, data)
    compile_policy(found, resolve(agent, found))


def compile_policy(game: Game, policy: Policy) -> None:
    """Let a policy choose once, which compiles its program if it has one."""
    sim = Simulator(game, 1, seed=0, mode=Mode.PLAIN)
    begin_games(policy, 1)
    ask_rows(policy, sim, [0], np.random.default_rng(0))
