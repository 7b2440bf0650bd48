"""Modules that pytest ignores because their library is not installed."""

from __future__ import annotations

from importlib.util import find_spec

NEEDED_BY = {
    "sb3_contrib": ("api/sb3",),
    "pyspiel": ("api/openspiel",),
    "ray": ("api/rllib", "training/rllib_ppo.py", "training/algorithms/rllib.py"),
    "tianshou": ("api/tianshou.py",),
    "torchrl": ("training/algorithms/torchrl.py",),
    "textarena": ("llm/textarena.py",),
    "openenv": ("llm/openenv.py",),
    "verifiers": ("llm/verifiers.py",),
    "transformers": ("llm/transformers.py", "training/language_model.py", "training/language"),
}
"""By the package that is imported, files and folders of `polytrix`."""

collect_ignore = [
    f"polytrix/{path}" for package, paths in NEEDED_BY.items() if find_spec(package) is None for path in paths
]
