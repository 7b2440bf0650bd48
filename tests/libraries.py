"""The learning libraries that polytrix connects to: the one list that tests read.

`tests/test_libraries.py` names the files that a new library needs.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """A learning library.

    Attributes:
        extra: the extra that installs it; also the name of its page, and of its files in `tests/integrations`.
        package: the package that is imported.
        modules: modules and packages in `polytrix` that need it.
        own_environment: whether its tests need a virtual environment of their own.
        learns: whether it has an example that learns a game.
    """

    extra: str
    package: str
    modules: tuple[str, ...] = ()
    own_environment: bool = True
    learns: bool = True


LIBRARIES = (
    Library("sb3", "sb3_contrib", ("api.sb3",), own_environment=False),
    Library("openspiel", "pyspiel", ("api.openspiel",), own_environment=False),
    Library("rllib", "ray", ("api.rllib", "training.rllib_ppo", "training.algorithms.rllib")),
    Library("tianshou", "tianshou", ("api.tianshou",)),
    Library("torchrl", "torchrl", ("api.torchrl", "training.algorithms.torchrl")),
    Library("benchmarl", "benchmarl", ("api.benchmarl",)),
    Library("agilerl", "agilerl"),
    Library("supersuit", "supersuit"),
    Library("textarena", "textarena", ("llm.textarena",), learns=False),
    Library("openenv", "openenv", ("llm.openenv",), learns=False),
    Library("verifiers", "verifiers", ("llm.verifiers",), learns=False),
    Library(
        "transformers",
        "transformers",
        ("llm.transformers", "training.language_model", "training.language"),
        learns=False,
    ),
    Library("trl", "trl", learns=False),
)
