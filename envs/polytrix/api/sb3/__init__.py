"""Self-play with Stable-Baselines3 and MaskablePPO of sb3-contrib.

env = SelfPlayVecEnv("quatrix", 64, opponents=("random", "greedy"))
MaskablePPO("MlpPolicy", env, policy_kwargs={"features_extractor_class": ScaledInputs})
"""

from .network import ScaledInputs, layers_of, policy_of
from .vec_env import SelfPlayVecEnv, Tally

__all__ = ["ScaledInputs", "SelfPlayVecEnv", "Tally", "layers_of", "policy_of"]
