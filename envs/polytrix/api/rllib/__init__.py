"""The Ray RLlib API: every registered game as a multi-agent environment for the new API stack.

    import polytrix.api.rllib
    from ray.rllib.algorithms.ppo import PPOConfig
    config = PPOConfig().environment("polytrix/quatrix-v0", env_config={"max_decisions": 300})

The import registers all games under their ids, in this process and in all processes of the Ray cluster.
Call `register_game` for a game registered later. `modules` has networks that respect action masks,
`league` has self-play against past selves. See docs/rllib.md.
"""

from .env import ACTION_MASK, OBSERVATIONS, MultiAgentGame, make, multi_agent_space, register_game

__all__ = ["ACTION_MASK", "OBSERVATIONS", "MultiAgentGame", "make", "multi_agent_space", "register_game"]
