"""A game among policies, move by move in notation, with the payoffs of all.

python examples/pettingzoo_quatrix.py
"""

from __future__ import annotations

import numpy as np

from polytrix import quatrix_v0
from polytrix.agents import Policy, resolve


def play(policies: dict[str, Policy], seed: int = 0, show: bool = False) -> dict[str, float]:
    """Play one game.

    Args:
        policies: who decides for each agent.
        seed: of the game, and of what the policies draw.
        show: print the moves.

    Returns:
        What each agent got.
    """
    env = quatrix_v0.env()
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    payoffs = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last(observe=False)
        payoffs[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        seen = env.observe(agent)
        batch = seen["observation"][None], seen["action_mask"][None]  # policies answer for many games at once
        action = int(policies[agent](*batch, rng)[0])
        if show:
            print(f"{agent} {env.format_action(action)}")
        env.step(action)
    return payoffs


if __name__ == "__main__":
    game = quatrix_v0.env().game
    print(play({"player_0": resolve("greedy", game), "player_1": resolve("random", game)}, seed=7, show=True))
