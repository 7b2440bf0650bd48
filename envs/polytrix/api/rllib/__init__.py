"""Ray RLlib: every known game as a multi-agent environment of its new API stack.

    import polytrix.api.rllib
    from ray.rllib.algorithms.ppo import PPOConfig
    config = PPOConfig().environment("polytrix/quatrix-v0", env_config={"max_decisions": 300})

The import registers all known games under their ids, here and in all processes of the Ray cluster.
For a game that is registered later call `register_game`. Networks that respect action masks are in
`modules`, self-play against past selves is in `league`. The whole is explained in docs/rllib.md.
"""

from .env import ACTION_MASK, OBSERVATIONS, MultiAgentGame, make, multi_agent_space, register_game

__all__ = ["ACTION_MASK", "OBSERVATIONS", "MultiAgentGame", "make", "multi_agent_space", "register_game"]
