"""Games as TorchRL environments: a whole batch of them in each tensor, from the compiled loop.

env = OneSeatEnv("quatrix", 1024, opponent="greedy")
Collector(env, actor, frames_per_batch=1024 * 64, total_frames=-1, return_same_td=True)
"""

from .env import AllSeatsEnv, GroupedEnv, OneSeatEnv
from .linking import LinkDecisions

__all__ = ["AllSeatsEnv", "GroupedEnv", "LinkDecisions", "OneSeatEnv"]
