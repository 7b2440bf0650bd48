"""Helpers that play and compare AEC environments."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from polytrix.api.aec import AECGame
from polytrix.games.quatrix import GAME


def played(env: AECGame, decisions: int, seed: int = 3) -> AECGame:
    """`env` after a reset and some random legal decisions."""
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    for _ in range(decisions):
        env.step(int(rng.choice(env.legal_actions())))
    return env


def play_out(env: AECGame, seed: int = 0, limit: int = 5000) -> tuple[dict[str, float], list[str]]:
    """Play at random until all agents are gone: each agent's total reward, and the agents that stepped None."""
    rng = np.random.default_rng(seed)
    told = dict.fromkeys(env.possible_agents, 0.0)
    left = []
    for agent in env.agent_iter(limit):
        observation, reward, termination, truncation, _ = env.last()
        assert observation is not None
        told[agent] += reward
        if termination or truncation:
            left.append(agent)
            env.step(None)
        else:
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert not env.agents, "the game has not ended"
    return told, left


def illegal(env: AECGame) -> int:
    return min(set(range(GAME.actions.size)) - set(env.legal_actions()))


def everything(env: AECGame) -> tuple[Any, ...]:
    """A copy of an environment's whole state; equal tuples mean equal environments."""
    named = (
        env.agents, env.agent_selection, env.rewards, env._cumulative_rewards,
        env.terminations, env.truncations, env.infos, env.legal_actions(), env.options,
    )  # fmt: skip
    seen = [array.tolist() for agent in env.possible_agents for array in env.observe(agent).values()]
    return env.save(), copy.deepcopy(named), seen
